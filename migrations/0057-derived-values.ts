import { Migration } from '@mikro-orm/migrations';

/** Profile images of users, calendar days and offsets of games, and divisions of ranking points are derived by new rules. */
export class Migration0057DerivedValues extends Migration {
  override up(): void {
    this.showApprovedImages();
    this.deriveDaysAndOffsets();
    this.readDivisions();
  }

  /**
   * The newest approved profile image of a user is the profile image of the user record, in whichever way it was approved, removed or deleted.
   * The URL that was set in the record is kept while an approved image is shown, and comes back when there is none.
   */
  private showApprovedImages(): void {
    this.addSql(`alter table "app_user" add "approved_image_url" text null, add "own_image_url" text null`);
    this.addSql(`create function newest_profile_image(person text) returns text language sql stable as $$
      select url from public.user_image
      where user_id = person and type = 'PROFILE' and approval_state = 'APPROVED' and url <> ''
      order by reported_created_at desc nulls last, created_at desc, id desc limit 1
    $$`);
    this.setImageOfRecord();
    this.followImages();
    // The trigger that logs changes names the columns.
    this.addSql(`select log_changes_of_columns('app_user')`);
    // The change has no actor: it is in the change log, but not in the audit trail.
    this.addSql(`alter table app_user disable trigger audited`);
    this.addSql(`update app_user u set approved_image_url = newest_profile_image(u.id)
      where u.id in (select user_id from user_image where type = 'PROFILE' and approval_state = 'APPROVED' and url <> '')`);
    this.addSql(`alter table app_user enable trigger audited`);
  }

  /** A client that sends back the approved image as it read it changes nothing. */
  private setImageOfRecord(): void {
    this.addSql(`create function set_profile_image() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          new.approved_image_url := public.newest_profile_image(new.id);
          if new.approved_image_url is not null then
            new.own_image_url := new.image_url;
            new.image_url := new.approved_image_url;
          end if;
        elsif new.approved_image_url is distinct from old.approved_image_url then
          if old.approved_image_url is null then new.own_image_url := new.image_url; end if;
          new.image_url := coalesce(new.approved_image_url, new.own_image_url);
          if new.approved_image_url is null then new.own_image_url := null; end if;
        elsif new.approved_image_url is not null and new.image_url is distinct from old.image_url then
          new.own_image_url := new.image_url;
          new.image_url := new.approved_image_url;
        end if;
        return new;
      end
    $$`);
    this.addSql(
      `create trigger profile_image before insert or update of image_url, approved_image_url on app_user for each row execute function set_profile_image()`,
    );
  }

  /** The user is locked first, so that of two images that are approved at the same moment the newer one is found. */
  private followImages(): void {
    this.addSql(`create function follow_profile_images() returns trigger language plpgsql as $$
      begin
        perform from public.app_user where id in (old.user_id, new.user_id) order by id for no key update;
        update public.app_user u
        set approved_image_url = public.newest_profile_image(u.id), version = u.version + 1, updated_at = clock_timestamp()
        where u.id in (old.user_id, new.user_id) and u.approved_image_url is distinct from public.newest_profile_image(u.id);
        return null;
      end
    $$`);
    const isShown = (row: string) => `${row}.type = 'PROFILE' and ${row}.approval_state = 'APPROVED'`;
    const trigger = (name: string, event: string, when: string) =>
      this.addSql(
        `create trigger ${name} after ${event} on user_image for each row when (${when}) execute function follow_profile_images()`,
      );
    trigger('profile_image_added', 'insert', isShown('new'));
    trigger('profile_image_changed', 'update', `${isShown('old')} or ${isShown('new')}`);
    trigger('profile_image_deleted', 'delete', isShown('old'));
  }

  /** A date at midnight UTC is the same calendar day in every time zone. An offset that was not sent is that of the zone at the start. */
  private deriveDaysAndOffsets(): void {
    this.addSql(`update game set local_day_raw = day
      where day = date_trunc('day', day, 'UTC') and local_day_raw is distinct from day
        and coalesce(local_day_raw = (day at time zone known_zone(time_zone)) at time zone 'UTC', true)`);
    const start = 'coalesce(starts_at, day)';
    this.addSql(`update game
      set time_zone_offset = extract(epoch from (${start} at time zone known_zone(time_zone)) - (${start} at time zone 'UTC'))
      where time_zone_offset is null and ${start} is not null
        and exists (select from time_zone z where lower(z.iana_name) = lower(game.time_zone))`);
  }

  private readDivisions(): void {
    this.addSql(`update ranking_points p set division = derived.division from (
      select id, case
        when who in ('women', 'ladies', 'female') and what = 'singles' then 'WOMENS_SINGLES'
        when who in ('women', 'ladies', 'female') and what = 'doubles' then 'WOMENS_DOUBLES'
        when who in ('men', 'gentlemen', 'male') and what = 'singles' then 'MENS_SINGLES'
        when who in ('men', 'gentlemen', 'male') and what = 'doubles' then 'MENS_DOUBLES'
        when who = 'mixed' and coalesce(what, 'doubles') = 'doubles' then 'MIXED_DOUBLES'
        when who is null and what is null then case short
          when 'ws' then 'WOMENS_SINGLES' when 'ms' then 'MENS_SINGLES' when 'xd' then 'MIXED_DOUBLES'
          when 'wd' then 'WOMENS_DOUBLES' when 'md' then 'MENS_DOUBLES' end
        end as division
      from (
        select id,
          substring(lower(event_title) from '\\m(women|ladies|female|men|gentlemen|male|mixed)(?:[''’]?s)?\\M') as who,
          substring(lower(event_title) from '\\m(singles|doubles)\\M') as what,
          lower(substring(event_title from '(?<![[:alpha:]])(WS|MS|XD|WD|MD|ws|ms|xd|wd|md)(?![[:alpha:]])')) as short
        from ranking_points where division = 'OTHER' and event_title <> ''
      ) words
    ) derived where derived.id = p.id and derived.division is not null`);
  }
}
