import { Migration } from '@mikro-orm/migrations';

/**
 * Logs the users of games with each change. They decide who sees a game by invitation, so a resumed subscription can tell whether a change happened
 * while the game was hidden from the subscriber.
 */
export class Migration0017LoggedGameMembers extends Migration {
  override up(): void {
    // As before, but casts to text, because `||` with an array appends an element.
    this.addSql(`create or replace function log_row_changes(of text, record text, refs text[]) returns void language plpgsql as $outer$
      declare
        has_time boolean := exists (select from pg_attribute where attrelid = of::regclass and attname = 'updated_at' and not attisdropped);
        actor text := $$nullif(current_setting('courtside.actor', true), '')::jsonb - 'address'$$;
        states text;
      begin
        select string_agg(format('%1$L || new.%2$I::text, case when old.%2$I is distinct from new.%2$I then %1$L || old.%2$I::text end', ref || '=', ref), ', ')
        into states from unnest(refs) ref;
        states := coalesce('array_remove(array[' || states || '], null)', $$'{}'$$);
        execute format($format$
          create or replace function %I() returns trigger language plpgsql as $$
          begin
            %s
            if new *= old then return null; end if;
            insert into public.change (record, id, kind, columns, refs, actor) values (
              %L, new.id, '~', public.akeys(public.delete(public.hstore(new), public.hstore(old))), %s, %s);
            return null;
          end
        $$ $format$, 'log_change_of_' || of, case when has_time then 'new.updated_at := old.updated_at;' end, record, states, actor);
        execute format($format$
          create or replace function %I() returns trigger language plpgsql as $$
          begin
            insert into public.change (record, id, kind, columns, refs, actor) values (
              %L, coalesce(new.id, old.id), case tg_op when 'INSERT' then '+' else '-' end, '{}', %s, %s);
            return null;
          end
        $$ $format$, 'log_' || of, record, states, actor);
        execute format('drop trigger if exists logged on %1$I; drop trigger if exists logged_change on %1$I', of);
        execute format('create trigger logged after insert or delete on %I for each row execute function %I()', of, 'log_' || of);
        execute format('create trigger logged_change after update on %I for each row execute function %I()', of, 'log_change_of_' || of);
      end
    $outer$`);
    const columns = ['is_invite_only', 'owner_id', 'player_ids', 'waiting_ids', 'invited_ids', 'invited_by_email_ids'];
    this.addSql(`select log_changes('game', 'Game', array[${columns.map((column) => `'${column}'`).join(', ')}])`);
  }
}
