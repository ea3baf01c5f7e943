import { Migration } from '@mikro-orm/migrations';

/** Contacts of webhooks confirm their address before they receive anything else, and get at most one notice a day. */
export class Migration0052WebhookContacts extends Migration {
  override up(): void {
    this.addSql(`alter table webhook
      add column contact_verified_at timestamptz,
      add column contact_code_hash text,
      add column contact_noticed_at timestamptz`);
    // Recreates the trigger of the change log, which lists the columns that it compares.
    this.addSql(`select log_changes_of_columns('webhook')`);
  }
}
