import { Migration } from '@mikro-orm/migrations';

/**
 * An update of nothing but the time of the last write is no change, and no trigger has to find that out: those of changes are of all other
 * columns. Who adds a column to a table with `updated_at` calls `log_changes_of_columns` for it, or its changes alone are logged by nobody; who
 * drops one does so with `cascade`, which takes the trigger along, and calls it too.
 */
export class Migration0050Again extends Migration {
  override up(): void {
    this.addSql(`create function log_changes_of_columns(of text) returns void language plpgsql as $$
      declare
        has_time boolean;
        columns text;
      begin
        select coalesce(bool_or(attname = 'updated_at'), false), string_agg(quote_ident(attname), ', ' order by attnum) filter (where attname <> 'updated_at')
        into has_time, columns from pg_attribute where attrelid = of::regclass and attnum > 0 and not attisdropped;
        if not has_time then return; end if;
        execute format('drop trigger if exists logged_change on %I', of);
        execute format('create trigger logged_change after update of %s on %I for each row execute function %I()', columns, of, 'log_change_of_' || of);
      end
    $$`);
    this.addSql(`create or replace function log_changes(of text, record text, refs text[]) returns void language plpgsql as $$
      begin
        perform public.log_row_changes(of, record, refs);
        perform public.log_changes_of_columns(of);
        execute format('drop trigger if exists logged_truncate on %I', of);
        execute format('create trigger logged_truncate after truncate on %I for each statement execute function log_truncated(%L)', of, record);
      end
    $$`);
    this.addSql(
      `select log_changes_of_columns(c.relname) from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'logged_change'`,
    );
  }
}
