import { Migration } from '@mikro-orm/migrations';

/** Marks e-mail addresses that a platform set, which `grantRole` must confirm. */
export class Migration0083UnprovenAddresses extends Migration {
  override up(): void {
    this.addSql(`alter table app_user add column is_email_unproven boolean not null default false`);
    // Recreates the trigger of the change log, which lists the columns that it compares.
    this.addSql(`select log_changes_of_columns('app_user')`);
    // Earlier changes of an address are known only by their unproven passwords. Passwords set with a code to a phone are unproven too.
    this.addSql(`update app_user set is_email_unproven = true where is_password_unproven`);
  }
}
