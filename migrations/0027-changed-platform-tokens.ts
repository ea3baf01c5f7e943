import { Migration } from '@mikro-orm/migrations';

/** Adds the time at which the service last changed the tokens of a platform. Repeated imports do not replace such tokens. */
export class Migration0027ChangedPlatformTokens extends Migration {
  static readonly oldestRelease = '0.1.0';

  override up(): void {
    this.addSql('alter table platform add token_changed_at timestamptz');
    this.addSql('update platform set token_changed_at = updated_at where previous_token_ends_at is not null');
    this.addSql(`select log_changes_of_columns('platform')`);
  }
}
