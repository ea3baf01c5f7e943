import { Migration } from '@mikro-orm/migrations';

/** What keeps long lists fast: indexes that count by themselves, and how many rows the tables of the longest lists have. */
export class Migration0034Growth extends Migration {
  override up(): void {
    const days = '(case when first_day_begins_at is not null then tstzrange(first_day_begins_at, last_day_ends_at) end)';
    const registration =
      '(case when registration_opens_at <= registration_closes_at or (registration_opens_at is null) <> (registration_closes_at is null) then tstzrange(registration_opens_at, registration_closes_at) end)';
    for (const name of ['start', 'days', 'registration']) this.addSql(`drop index tournament_${name}_idx`);
    this.addSql(
      `create index tournament_start_idx on tournament (starts_at, id) include (first_day_begins_at, last_day_ends_at)`,
    );
    this.addSql(
      `create index tournament_days_idx on tournament using gist (${days}) include (first_day_begins_at, last_day_ends_at, starts_at, over_at, is_canceled, id)`,
    );
    this.addSql(
      `create index tournament_registration_idx on tournament using gist (${registration}) include (registration_opens_at, registration_closes_at, starts_at, is_registration_closed, is_canceled, id)`,
    );
    this.addSql(`create index tournament_over_idx on tournament (over_at)`);
    this.addSql(`create index tournament_featured_idx on tournament (starts_at, id) where is_featured`);
    this.addSql(`create index tournament_prize_money_idx on tournament (starts_at, id) where has_prize_money`);
    this.countRows();
  }

  /**
   * The rows of a table are the sum of its counts. A write adds to a count that no other open transaction adds to: nobody waits, and whoever
   * reads sees the counts of the same transactions as the rows. Once a statement: thousands of changes of one count would be its dead versions.
   */
  private countRows(): void {
    this.addSql(
      `create table row_count ("of" text not null, "slot" int not null, "n" bigint not null, primary key ("of", "slot")) with (fillfactor = 20)`,
    );
    this.addSql(`create function count_rows() returns trigger language plpgsql as $$
      declare
        change bigint;
        free int := pg_backend_pid() % 64;
      begin
        if tg_op = 'INSERT' then select count(*) into change from added;
        elsif tg_op = 'DELETE' then select - count(*) into change from removed;
        else
          delete from public.row_count c where c.of = tg_table_name;
          return null;
        end if;
        if change = 0 then return null; end if;
        while not pg_try_advisory_xact_lock(tg_relid::int, free) loop free := free + 1; end loop;
        update public.row_count c set n = c.n + change where c.of = tg_table_name and c.slot = free;
        if not found then insert into public.row_count (of, slot, n) values (tg_table_name, free, change); end if;
        return null;
      end
    $$`);
    for (const table of ['tournament', 'team']) {
      this.addSql(
        `create trigger ${table}_added after insert on ${table} referencing new table as added for each statement execute function count_rows()`,
      );
      this.addSql(
        `create trigger ${table}_removed after delete on ${table} referencing old table as removed for each statement execute function count_rows()`,
      );
      this.addSql(
        `create trigger ${table}_truncated after truncate on ${table} for each statement execute function count_rows()`,
      );
      this.addSql(`insert into row_count ("of", "slot", "n") select '${table}', 0, count(*) from ${table}`);
    }
  }
}
