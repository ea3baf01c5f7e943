import { Migration } from '@mikro-orm/migrations';

/** Gives every user a slug. Users without one, such as erased users, get a tilde and their ID. Slugs made from names have no tilde. */
export class Migration0069UserSlugs extends Migration {
  override up(): void {
    this.addSql(`create function set_user_slug() returns trigger language plpgsql as $$
      begin
        new.slug := coalesce(nullif(new.slug, ''), '~' || new.id);
        return new;
      end
    $$`);
    // The change has no actor, so it is not in the audit trail.
    this.addSql(`alter table app_user disable trigger audited`);
    this.addSql(`update app_user set slug = '~' || id where slug is null or slug = ''`);
    this.addSql(`alter table app_user enable trigger audited`);
    this.addSql(
      `create trigger user_slug before insert or update of slug on app_user for each row execute function set_user_slug()`,
    );
    this.addSql(`alter table app_user alter column slug set not null`);
  }
}
