import { Migration } from '@mikro-orm/migrations';

/** Tables, functions and triggers for all modules: change log, audit trail, versions of caches, row counts, search, limits and retries. */
export class Baseline0002Kernel extends Migration {
  override up(): void {
    this.logChanges();
    this.defineLogTriggers();
    this.auditWrites();
    this.protectAuditEntries();
    this.versionCaches();
    this.countRows();
    this.storeSearchTexts();
    this.limitAndRetryRequests();
  }

  /** The change log: every write to a logged table, in order. Triggers append to it in the transaction of the write. */
  private logChanges(): void {
    this.addSql(`
      create sequence change_position;
      create table change (
        position bigint primary key default nextval('change_position'),
        at timestamptz not null default clock_timestamp(),
        record text not null, -- GraphQL type, such as Team
        id text not null, -- empty if the table was truncated
        kind "char" not null, -- + created, ~ changed, - deleted
        columns text[] not null, -- changed columns. Empty unless the kind is ~
        refs text[] not null, -- column=value, with the new and the old values. Subscribers are found by them
        actor jsonb -- caller of the request, without the IP address. Null for the service
      );
      alter sequence change_position owned by change.position;
    `);
    this.addSql(`
      create table change_log (
        one boolean primary key default true check (one), -- the table has a single row
        id text not null, -- part of the name of the log. Readers keep it with their positions, which are valid in this log only
        forgotten bigint not null -- last position that is not in the log any more
      );
      insert into change_log (id, forgotten) values (gen_random_uuid()::text, 0);
    `);
    // Rows of a truncated table are unknown, so all earlier changes count as forgotten. The row in the log only takes a position, and makes
    // readers wait for the transaction.
    this.addSql(`
      create function log_truncated() returns trigger language plpgsql as $$
      declare
        place bigint;
      begin
        insert into public.change (record, id, kind, columns, refs) values (tg_argv[0], '', '-', '{}', '{}') returning "position" into place;
        update public.change_log set forgotten = greatest(forgotten, place);
        return null;
      end
      $$
    `);
  }

  /**
   * Functions for migrations, which create the triggers of a logged table.
   *
   * A migration that adds a table calls `log_changes`. A migration that adds a column to a table with `updated_at` calls
   * `log_changes_of_columns`, because the trigger lists its columns. Dropping a column needs `cascade`, which drops the trigger, and the same call.
   */
  private defineLogTriggers(): void {
    // An update that changes no value is not logged, because platforms send unchanged records again and again. The comparison of whole rows is
    // first, because it is cheap. Comparing the columns as texts takes a tenth of the time of comparing them one by one, because that expression
    // would be compiled in each transaction.
    this.addSql(`
      create function log_row_changes(of text, record text, refs text[]) returns void language plpgsql as $outer$
      declare
        has_time boolean := exists (select from pg_attribute where attrelid = of::regclass and attname = 'updated_at' and not attisdropped);
        actor text := $$nullif(current_setting('courtside.actor', true), '')::jsonb - 'address'$$;
        found text;
      begin
        select string_agg(format('%1$L || new.%2$I, case when old.%2$I is distinct from new.%2$I then %1$L || old.%2$I end', ref || '=', ref), ', ')
        into found from unnest(refs) ref;
        found := coalesce('array_remove(array[' || found || '], null)', $$'{}'$$);
        execute format($format$
          create or replace function %I() returns trigger language plpgsql as $$
          begin
            %s
            if new *= old then return null; end if;
            insert into public.change (record, id, kind, columns, refs, actor) values (
              %L, new.id, '~', public.akeys(public.delete(public.hstore(new), public.hstore(old))), %s, %s);
            return null;
          end
        $$ $format$, 'log_change_of_' || of, case when has_time then 'new.updated_at := old.updated_at;' end, record, found, actor);
        execute format($format$
          create or replace function %I() returns trigger language plpgsql as $$
          begin
            insert into public.change (record, id, kind, columns, refs, actor) values (
              %L, coalesce(new.id, old.id), case tg_op when 'INSERT' then '+' else '-' end, '{}', %s, %s);
            return null;
          end
        $$ $format$, 'log_' || of, record, found, actor);
        execute format('drop trigger if exists logged on %1$I; drop trigger if exists logged_change on %1$I', of);
        execute format('create trigger logged after insert or delete on %I for each row execute function %I()', of, 'log_' || of);
        execute format('create trigger logged_change after update on %I for each row execute function %I()', of, 'log_change_of_' || of);
      end
      $outer$
    `);
    // An update of updated_at alone is no change, so the trigger is for the other columns only.
    this.addSql(`
      create function log_changes_of_columns(of text) returns void language plpgsql as $$
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
      $$
    `);
    this.addSql(`
      create function log_changes(of text, record text, refs text[]) returns void language plpgsql as $$
      begin
        perform public.log_row_changes(of, record, refs);
        perform public.log_changes_of_columns(of);
        execute format('drop trigger if exists logged_truncate on %I', of);
        execute format('create trigger logged_truncate after truncate on %I for each statement execute function log_truncated(%L)', of, record);
      end
      $$
    `);
  }

  /** The audit trail: who wrote what. Triggers append to it in the transaction of the write. */
  private auditWrites(): void {
    this.addSql(`
      create table audit_entry (
        id text primary key,
        created_at timestamptz not null default clock_timestamp(),
        record_type text not null, -- GraphQL type, such as Payment
        record_key text not null, -- ID of the record. Empty if sign-on was locked for an address without a user
        action text not null, -- CREATED, CHANGED, DELETED, LOCKED, EXPORTED or ERASED
        columns text[] not null default '{}', -- changed columns
        changes jsonb not null default '[]', -- array of { field, before, after }, without secret and personal values
        source text not null, -- REQUEST, COMMAND or SERVICE
        user_id text, -- null if the request had no user token
        platform_id text,
        key_id text, -- publishable key of the request
        address text -- IP address of the client
      );
      create index audit_entry_created_at_idx on audit_entry (created_at desc nulls last, id);
      create index audit_entry_record_key_idx on audit_entry (record_key, id);
      create index audit_entry_user_id_idx on audit_entry (user_id, id);
      create index audit_entry_platform_id_idx on audit_entry (platform_id, id);
    `);
    // Each session sets courtside.actor to the caller of the request. Without it, the service itself acts.
    this.addSql(`
      create function audit(record_type text, record_key text, action text, columns text[], changes jsonb)
      returns void language plpgsql as $$
      declare
        actor jsonb := nullif(current_setting('courtside.actor', true), '')::jsonb;
      begin
        insert into public.audit_entry (id, record_type, record_key, action, columns, changes, source, user_id, platform_id, key_id, address)
        values (gen_random_uuid()::text, audit.record_type, audit.record_key, audit.action, audit.columns, audit.changes,
          coalesce(actor->>'source', 'SERVICE'), actor->>'userId', actor->>'platformId', actor->>'keyId', actor->>'address');
      end
      $$
    `);
    // The arguments of the trigger are the GraphQL type and the fields with values in the audit trail, such as approval.state.
    this.addSql(`
      create function audit_write() returns trigger language plpgsql as $$
      declare
        before jsonb := to_jsonb(old);
        after jsonb := to_jsonb(new);
        changed text[] := '{}';
        held jsonb := '[]';
        key text;
        col text;
      begin
        if tg_op = 'UPDATE' then
          select coalesce(array_agg(c.key order by c.key), '{}') into changed from jsonb_each(after) c
          where c.value is distinct from before->c.key
            and c.key not in ('updated_at', 'updated_by', 'updated_by_id', 'version');
        end if;
        foreach key in array tg_argv[1:] loop
          col := lower(regexp_replace(replace(key, '.', '_'), '([a-z0-9])([A-Z])', '\\1_\\2', 'g'));
          if nullif(before->col, 'null') is distinct from nullif(after->col, 'null') then
            -- Numbers as text: clients would lose digits of amounts.
            held := held || jsonb_build_object('field', key,
              'before', case jsonb_typeof(before->col) when 'number' then to_jsonb(before->>col) else before->col end,
              'after', case jsonb_typeof(after->col) when 'number' then to_jsonb(after->>col) else after->col end);
          end if;
        end loop;
        perform public.audit(tg_argv[0], coalesce(after, before)->>'id',
          case tg_op when 'INSERT' then 'CREATED' when 'UPDATE' then 'CHANGED' else 'DELETED' end, changed, held);
        return null;
      end
      $$
    `);
  }

  /** Audit entries cannot be changed. Only the daily job deletes old ones, up to the time in courtside.audit_until. */
  private protectAuditEntries(): void {
    this.addSql(`
      create function audit_stays() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and old.created_at < nullif(current_setting('courtside.audit_until', true), '')::timestamptz then
          return old;
        end if;
        raise exception 'audit entries are neither changed nor deleted' using errcode = 'insufficient_privilege';
      end
      $$;
      create trigger audit_stays before update or delete on audit_entry for each row execute function audit_stays();
      create trigger audit_stays_whole before truncate on audit_entry for each statement execute function audit_stays();
    `);
  }

  /** The version of the tables that every process caches. Each transaction that writes to one of them changes it. */
  private versionCaches(): void {
    // Random, not a counter, so that a restored database never repeats a version.
    this.addSql(`
      create table kept_version (
        is_only boolean primary key default true check (is_only), -- the table has a single row
        version uuid not null
      );
      insert into kept_version (version) values (gen_random_uuid());
      create function kept_changed() returns trigger language plpgsql as $$
      begin
        update kept_version set version = gen_random_uuid();
        return null;
      end $$;
    `);
  }

  /**
   * Row counts of large tables. The count of a table is the sum of its slots. A write updates a slot that no other open transaction uses, so no
   * writer waits, and readers see the counts of exactly the transactions whose rows they see.
   */
  private countRows(): void {
    // Updated often: free space in each page keeps the new row versions on it.
    this.addSql(`
      create table row_count (
        of text not null, -- name of the table
        slot int not null,
        n bigint not null, -- may be negative: rows can be added in one slot and deleted in another
        primary key (of, slot)
      ) with (fillfactor = 20)
    `);
    this.addSql(`
      create function count_rows() returns trigger language plpgsql as $$
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
      $$
    `);
  }

  /** The texts that `search` looks in, with one index for all records. Triggers of the searched tables write them. */
  private storeSearchTexts(): void {
    // A search reads all pending entries of the index, so the list of pending entries is short (in kB).
    this.addSql(`
      create table search_text (
        record text not null, -- GraphQL type
        id text not null,
        name text not null, -- all texts are folded: without accents and in lower case
        text text not null, -- name and location
        state text, -- title or code of a state
        primary key (record, id)
      );
      create index search_text_text_idx on search_text using gin (text gin_trgm_ops) with (gin_pending_list_limit = 64);
      create index search_text_state_idx on search_text (state) where state is not null;
      analyze search_text;
    `);
  }

  private limitAndRetryRequests(): void {
    // Unlogged: writes are cheap, and a crash may lose the counts.
    this.addSql(`
      create unlogged table rate_limit (
        key varchar(255) primary key,
        points integer not null default 0, -- used points
        expire bigint -- Unix time in milliseconds
      )
    `);
    // Responses to requests with an Idempotency-Key, for a day. Only the owner of the key can decrypt a response.
    this.addSql(`
      create table first_answer (
        id bytea primary key, -- hash of the key and the caller
        fingerprint bytea not null, -- hash of the request
        run uuid not null, -- the attempt that has the lease
        leased_until timestamptz not null,
        answer bytea, -- encrypted response. Null until the request is complete
        created_at timestamptz not null default clock_timestamp(),
        is_done boolean not null default false -- set in the transaction of the request, so it is known even if the response is lost
      );
      create index first_answer_created_at_idx on first_answer (created_at);
    `);
  }
}
