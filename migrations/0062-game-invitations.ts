import { Migration } from '@mikro-orm/migrations';

/** Adds the declined invitations of games, and the key that signs the values in links of invitation mails. */
export class Migration0062GameInvitations extends Migration {
  override up(): void {
    this.addSql(
      `alter table game add column declined_ids text[] not null default '{}', add column declined_emails text[] not null default '{}',
         add column invitation_key text not null default gen_random_uuid()::text`,
    );
    this.addSql(`create index game_declined_ids_idx on game using gin (declined_ids)`);
    // Recreates the trigger of the change log, which lists the columns that it compares.
    this.addSql(`select log_changes_of_columns('game')`);
  }
}
