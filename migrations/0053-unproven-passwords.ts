import { Migration } from '@mikro-orm/migrations';

/** Passwords that a platform may have chosen, by a code to a phone or a changed address, end when their user gets a role. */
export class Migration0053UnprovenPasswords extends Migration {
  override up(): void {
    this.addSql(`alter table app_user add column is_password_unproven boolean not null default false`);
    // Recreates the trigger of the change log, which lists the columns that it compares.
    this.addSql(`select log_changes_of_columns('app_user')`);
  }
}
