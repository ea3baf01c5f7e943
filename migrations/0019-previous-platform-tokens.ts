import { Migration } from '@mikro-orm/migrations';

/** Adds the previous token of a platform, which stays valid for some hours after a renewal. */
export class Migration0019PreviousPlatformTokens extends Migration {
  static readonly oldestRelease = '0.1.0';

  override up(): void {
    this.addSql(`
      alter table platform
        add previous_token_hash text constraint platform_previous_token_hash_unique unique, -- SHA-256
        add previous_token_ends_at timestamptz
    `);
    this.addSql(`select log_changes_of_columns('platform')`);
  }
}
