import { Migration } from '@mikro-orm/migrations';

/**
 * The days of a tournament in its own time zone, as instants that an index can hold. PostgreSQL works them out with every write of the
 * dates or the zone, also when concurrent writes change one each. When the rules of a zone change, a row follows with its next write.
 */
export class Migration0020Days extends Migration {
  override up(): void {
    this.addSql(`create index time_zone_name_idx on time_zone (lower(iana_name))`);
    // PostgreSQL takes abbreviations and POSIX rules for zones, too ('Foo5'), and throws where it knows nothing. Four names of zones are
    // abbreviations to it, which know no summer time.
    this.addSql(`create function known_zone(given text) returns text language plpgsql stable as $$
      begin
        if not exists (select from public.time_zone z where lower(z.iana_name) = lower(given)) then return 'UTC'; end if;
        given := case upper(given) when 'CET' then 'Europe/Brussels' when 'MET' then 'Europe/Brussels' when 'EET' then 'Europe/Athens'
          when 'WET' then 'Europe/Lisbon' else given end;
        perform now() at time zone given;
        return given;
      exception when invalid_parameter_value then return 'UTC';
      end
    $$`);
    // Where the clocks are put back across midnight a day has two of them, and PostgreSQL takes the later one.
    this.addSql(`create function day_begins(day date, zone text) returns timestamptz language sql stable strict as $$
      select greatest(timestamptz '0001-01-01Z', least(timestamptz '9999-12-31 23:59:59.999999Z',
        case when ((midnight - interval '1 hour') at time zone zone)::date = day then midnight - interval '1 hour' else midnight end))
      from (select day::timestamp at time zone zone as midnight)
    $$`);
    // An end before the start says nothing, and an end at midnight names a day.
    this.addSql(`create function tournament_days() returns trigger language plpgsql as $$
      declare
        zone text := public.known_zone(new.time_zone);
        first_day date := (new.starts_at at time zone zone)::date;
        end_day date := (new.ends_at at time zone zone)::date;
        last_day date := case when first_day is not null then greatest(first_day, end_day) end;
      begin
        new.first_day_begins_at := public.day_begins(first_day, zone);
        new.last_day_ends_at := public.day_begins(last_day + 1, zone);
        new.over_at := case
          when new.ends_at is null or new.ends_at < new.starts_at then new.last_day_ends_at
          when new.ends_at = public.day_begins(end_day, zone) or (new.ends_at at time zone zone)::time = '00:00'
            then public.day_begins(end_day + 1, zone)
          else new.ends_at end;
        return new;
      end
    $$`);
    this.addSql(
      `alter table "tournament" add "first_day_begins_at" timestamptz null, add "last_day_ends_at" timestamptz null, add "over_at" timestamptz null`,
    );
    this.addSql(
      `create trigger tournament_days before insert or update of starts_at, ends_at, time_zone on tournament for each row execute function tournament_days()`,
    );
    this.addSql(`update tournament set starts_at = starts_at where starts_at is not null or ends_at is not null`);
    this.addSql(
      `create index tournament_days_idx on tournament using gist ((case when first_day_begins_at is not null then tstzrange(first_day_begins_at, last_day_ends_at) end))`,
    );
    this.addSql(
      `create index tournament_registration_idx on tournament using gist ((case when registration_opens_at <= registration_closes_at or (registration_opens_at is null) <> (registration_closes_at is null) then tstzrange(registration_opens_at, registration_closes_at) end))`,
    );
    this.addSql(`create index tournament_approvals_idx on tournament using gin (approvals jsonb_path_ops)`);
    this.endSignOns();
  }

  /** Who becomes a super admin signs in anew: platforms could hold tokens, links and codes of the user who they were. */
  private endSignOns(): void {
    this.addSql(`create function end_sign_ons() returns trigger language plpgsql as $$
      begin
        update public.user_token set revoked_at = clock_timestamp() where user_id = new.id and revoked_at is null;
        update public.one_time_value set used_at = clock_timestamp() where user_id = new.id and used_at is null;
        return null;
      end
    $$`);
    this.addSql(
      `create trigger super_admin after update of is_super_admin on app_user for each row when (new.is_super_admin and not old.is_super_admin) execute function end_sign_ons()`,
    );
    this.addSql(
      `update user_token t set revoked_at = clock_timestamp() from app_user u where u.id = t.user_id and u.is_super_admin and t.device = 'placed' and t.revoked_at is null`,
    );
  }
}
