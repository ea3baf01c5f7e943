import { Migration } from '@mikro-orm/migrations';

/** Marks erased users. Earlier ones are known by the audit trail. Its older entries are deleted, so they are also known by what erasing leaves. */
export class Migration0073ErasedUsers extends Migration {
  override up(): void {
    this.addSql(`alter table "app_user" add "erased_at" timestamptz null`);
    // Recreates the trigger of the change log, which lists the columns that it compares.
    this.addSql(`select log_changes_of_columns('app_user')`);
    // The change has no actor, so it is not in the audit trail.
    this.addSql(`alter table app_user disable trigger audited`);
    this.addSql(`update app_user u set erased_at = coalesce(
        (select max(a.created_at) from audit_entry a where a.record_key = u.id and a.record_type = 'User' and a.action = 'ERASED'), u.updated_at, clock_timestamp())
      where u.id in (select a.record_key from audit_entry a where a.record_type = 'User' and a.action = 'ERASED')
        or (u.first_name = 'Deleted' and u.last_name = 'user' and u.slug = '~' || u.id and u.email is null and u.phone is null and u.password_hash is null)`);
    this.addSql(`alter table app_user enable trigger audited`);
  }
}
