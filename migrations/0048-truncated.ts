import { Migration } from '@mikro-orm/migrations';

/**
 * A table that is truncated tells of none of its rows: all that came before is to be read anew. The row of the log is only a place in it, and is
 * written so that whoever reads the log waits for the transaction.
 */
export class Migration0048Truncated extends Migration {
  override up(): void {
    this.addSql(`create function log_truncated() returns trigger language plpgsql as $$
      declare
        place bigint;
      begin
        insert into public.change (record, id, kind, columns, refs) values (tg_argv[0], '', '-', '{}', '{}') returning "position" into place;
        update public.change_log set forgotten = greatest(forgotten, place);
        return null;
      end
    $$`);
    this.addSql(`alter function log_changes(text, text, text[]) rename to log_row_changes`);
    this.addSql(`create function log_changes(of text, record text, refs text[]) returns void language plpgsql as $$
      begin
        perform public.log_row_changes(of, record, refs);
        execute format('drop trigger if exists logged_truncate on %I', of);
        execute format('create trigger logged_truncate after truncate on %I for each statement execute function log_truncated(%L)', of, record);
      end
    $$`);
    this.addSql(`do $$
      declare
        logged record;
      begin
        for logged in
          select c.relname as name, substring(p.prosrc from $t$values \\(\\s*'([^']+)'$t$) as record
          from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid where t.tgname = 'logged'
        loop
          execute format('create trigger logged_truncate after truncate on %I for each statement execute function log_truncated(%L)', logged.name, logged.record);
        end loop;
      end
    $$`);
  }
}
