import { Migration } from '@mikro-orm/migrations';

/** Versions, by which a writer tells that a record is still what was read. */
export class Migration0024Versions extends Migration {
  override up(): void {
    for (const table of ['tournament', 'tournament_event', 'game', 'app_user'])
      this.addSql(`alter table "${table}" add column "version" int not null default 1`);
  }
}
