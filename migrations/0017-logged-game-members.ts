import { Migration } from '@mikro-orm/migrations';

/**
 * Logs the users of games with each change. They decide who sees a game by invitation, so a resumed subscription can tell whether a change happened
 * while the game was hidden from the subscriber.
 */
export class Migration0017LoggedGameMembers extends Migration {
  override up(): void {
    // Like the version in the baseline, but casts values to text, because `||` would append an element to an array.
    this.addSql(`create or replace function log_row_changes(table_name text, record text, refs text[]) returns void language plpgsql as $outer$
      declare
        has_updated_at boolean := exists (select from pg_attribute where attrelid = table_name::regclass and attname = 'updated_at' and not attisdropped);
        actor_sql text := $$nullif(current_setting('courtside.actor', true), '')::jsonb - 'address'$$;
        refs_sql text;
      begin
        select string_agg(format('%1$L || new.%2$I::text, case when old.%2$I is distinct from new.%2$I then %1$L || old.%2$I::text end', ref || '=', ref), ', ')
        into refs_sql from unnest(refs) ref;
        refs_sql := coalesce('array_remove(array[' || refs_sql || '], null)', $$'{}'$$);
        execute format($format$
          create or replace function %I() returns trigger language plpgsql as $$
          begin
            %s
            if new *= old then return null; end if;
            insert into public.change (record, id, kind, columns, refs, actor) values (
              %L, new.id, '~', public.akeys(public.delete(public.hstore(new), public.hstore(old))), %s, %s);
            return null;
          end
        $$ $format$, 'log_change_of_' || table_name, case when has_updated_at then 'new.updated_at := old.updated_at;' end, record, refs_sql, actor_sql);
        execute format($format$
          create or replace function %I() returns trigger language plpgsql as $$
          begin
            insert into public.change (record, id, kind, columns, refs, actor) values (
              %L, coalesce(new.id, old.id), case tg_op when 'INSERT' then '+' else '-' end, '{}', %s, %s);
            return null;
          end
        $$ $format$, 'log_' || table_name, record, refs_sql, actor_sql);
        execute format('drop trigger if exists logged on %1$I; drop trigger if exists logged_change on %1$I', table_name);
        execute format('create trigger logged after insert or delete on %I for each row execute function %I()', table_name, 'log_' || table_name);
        execute format('create trigger logged_change after update on %I for each row execute function %I()', table_name, 'log_change_of_' || table_name);
      end
    $outer$`);
    const columns = ['is_invite_only', 'owner_id', 'player_ids', 'waiting_ids', 'invited_ids', 'invited_by_email_ids'];
    this.addSql(`select log_changes('game', 'Game', array[${columns.map((column) => `'${column}'`).join(', ')}])`);
  }
}
