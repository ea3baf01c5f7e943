import { Migration } from '@mikro-orm/migrations';

/** Creates tables, functions and triggers for all modules: change log, audit trail, cache version, row counts, search texts, rate limits and idempotent responses. */
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

  /** Creates the change log. It contains all writes to logged tables in order. Triggers add entries in the transaction of the write. */
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
        refs text[] not null, -- column=value, for old and new values. Subscribers are selected by them
        actor jsonb -- caller of the request, without the IP address. Null for the service
      );
      alter sequence change_position owned by change.position;
    `);
    this.addSql(`
      create table change_log (
        is_singleton boolean primary key default true check (is_singleton), -- the table has a single row
        id text not null, -- part of the name of the log. Positions are valid only in the log with this name
        last_removed_position bigint not null -- changes up to this position have been removed from the log
      );
      insert into change_log (id, last_removed_position) values (gen_random_uuid()::text, 0);
    `);
    // The IDs of truncated rows are unknown. All earlier changes therefore count as removed, and readers reload their data. The inserted change
    // only assigns a position, and makes readers wait for the transaction.
    this.addSql(`
      create function log_truncated() returns trigger language plpgsql as $$
      declare
        truncate_position bigint;
      begin
        insert into public.change (record, id, kind, columns, refs) values (tg_argv[0], '', '-', '{}', '{}') returning "position" into truncate_position;
        update public.change_log set last_removed_position = greatest(last_removed_position, truncate_position);
        return null;
      end
      $$
    `);
  }

  /**
   * Creates functions that migrations call to create the triggers of a logged table.
   *
   * A migration that adds a table calls `log_changes`. A migration that adds a column to a table with `updated_at` calls
   * `log_changes_of_columns`, because the trigger lists its columns. A migration that drops a column uses `cascade`, which drops the trigger, and
   * then makes the same call.
   */
  private defineLogTriggers(): void {
    // An update that changes no value is not logged, because platforms send unchanged records repeatedly. The cheap comparison of whole rows comes
    // first. Comparing hstores finds the changed columns ten times as fast as an expression over all columns, which each transaction would have
    // to compile. Values are cast to text, because `||` would append an element to an array.
    this.addSql(`
      create function log_row_changes(table_name text, record text, refs text[]) returns void language plpgsql as $outer$
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
      $outer$
    `);
    // An update of updated_at alone is not a change. The trigger therefore applies only to the other columns.
    this.addSql(`
      create function log_changes_of_columns(table_name text) returns void language plpgsql as $$
      declare
        has_updated_at boolean;
        columns text;
      begin
        select coalesce(bool_or(attname = 'updated_at'), false), string_agg(quote_ident(attname), ', ' order by attnum) filter (where attname <> 'updated_at')
        into has_updated_at, columns from pg_attribute where attrelid = table_name::regclass and attnum > 0 and not attisdropped;
        if not has_updated_at then return; end if;
        execute format('drop trigger if exists logged_change on %I', table_name);
        execute format('create trigger logged_change after update of %s on %I for each row execute function %I()', columns, table_name, 'log_change_of_' || table_name);
      end
      $$
    `);
    this.addSql(`
      create function log_changes(table_name text, record text, refs text[]) returns void language plpgsql as $$
      begin
        perform public.log_row_changes(table_name, record, refs);
        perform public.log_changes_of_columns(table_name);
        execute format('drop trigger if exists logged_truncate on %I', table_name);
        execute format('create trigger logged_truncate after truncate on %I for each statement execute function log_truncated(%L)', table_name, record);
      end
      $$
    `);
  }

  /** Creates the audit trail, with an entry for each write and its actor. Triggers add entries in the transaction of the write. */
  private auditWrites(): void {
    this.addSql(`
      create table audit_entry (
        id text primary key,
        created_at timestamptz not null default clock_timestamp(),
        record_type text not null, -- GraphQL type, such as Payment
        record_key text not null, -- ID of the record. Empty if sign-in was locked for an address without a user
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
    // Arguments of the trigger: the GraphQL type, and the fields to store with their values, such as approval.state.
    this.addSql(`
      create function audit_write() returns trigger language plpgsql as $$
      declare
        before jsonb := to_jsonb(old);
        after jsonb := to_jsonb(new);
        changed_columns text[] := '{}';
        field_changes jsonb := '[]';
        field text;
        column_name text;
      begin
        if tg_op = 'UPDATE' then
          select coalesce(array_agg(c.key order by c.key), '{}') into changed_columns from jsonb_each(after) c
          where c.value is distinct from before->c.key
            and c.key not in ('updated_at', 'updated_by', 'updated_by_id', 'version');
        end if;
        foreach field in array tg_argv[1:] loop
          column_name := lower(regexp_replace(replace(field, '.', '_'), '([a-z0-9])([A-Z])', '\\1_\\2', 'g'));
          if nullif(before->column_name, 'null') is distinct from nullif(after->column_name, 'null') then
            -- Numbers are stored as text, because JSON clients would round large or precise amounts.
            field_changes := field_changes || jsonb_build_object('field', field,
              'before', case jsonb_typeof(before->column_name) when 'number' then to_jsonb(before->>column_name) else before->column_name end,
              'after', case jsonb_typeof(after->column_name) when 'number' then to_jsonb(after->>column_name) else after->column_name end);
          end if;
        end loop;
        perform public.audit(tg_argv[0], coalesce(after, before)->>'id',
          case tg_op when 'INSERT' then 'CREATED' when 'UPDATE' then 'CHANGED' else 'DELETED' end, changed_columns, field_changes);
        return null;
      end
      $$
    `);
  }

  /** Prevents changes of audit entries. Only the daily job can delete entries, up to the time in courtside.audit_until. */
  private protectAuditEntries(): void {
    this.addSql(`
      create function protect_audit_entries() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and old.created_at < nullif(current_setting('courtside.audit_until', true), '')::timestamptz then
          return old;
        end if;
        raise exception 'audit entries are neither changed nor deleted' using errcode = 'insufficient_privilege';
      end
      $$;
      create trigger protect_audit_entries before update or delete on audit_entry for each row execute function protect_audit_entries();
      create trigger protect_audit_entries_truncate before truncate on audit_entry for each statement execute function protect_audit_entries();
    `);
  }

  /** Creates a version for the tables that every process caches. Each transaction that writes to such a table changes the version. */
  private versionCaches(): void {
    // The version is random instead of a counter, so that a restored database never repeats it.
    this.addSql(`
      create table cache_version (
        is_singleton boolean primary key default true check (is_singleton), -- the table has a single row
        version uuid not null
      );
      insert into cache_version (version) values (gen_random_uuid());
      create function bump_cache_version() returns trigger language plpgsql as $$
      begin
        update cache_version set version = gen_random_uuid();
        return null;
      end $$;
    `);
  }

  /**
   * Creates row counts of large tables. The count of a table is the sum of its slots. A write updates a slot that no other open transaction
   * uses, so writers do not wait for each other. Readers see counts that match the rows of their snapshot.
   */
  private countRows(): void {
    // Rows are updated often. With free space, PostgreSQL can store new row versions on the same page.
    this.addSql(`
      create table row_count (
        table_name text not null,
        slot int not null,
        count bigint not null, -- may be negative: rows can be added in one slot and deleted in another
        primary key (table_name, slot)
      ) with (fillfactor = 20)
    `);
    this.addSql(`
      create function count_rows() returns trigger language plpgsql as $$
      declare
        difference bigint;
        free_slot int := pg_backend_pid() % 64;
      begin
        if tg_op = 'INSERT' then select count(*) into difference from added;
        elsif tg_op = 'DELETE' then select - count(*) into difference from removed;
        else
          delete from public.row_count c where c.table_name = tg_table_name;
          return null;
        end if;
        if difference = 0 then return null; end if;
        while not pg_try_advisory_xact_lock(tg_relid::int, free_slot) loop free_slot := free_slot + 1; end loop;
        update public.row_count c set count = c.count + difference where c.table_name = tg_table_name and c.slot = free_slot;
        if not found then insert into public.row_count (table_name, slot, count) values (tg_table_name, free_slot, difference); end if;
        return null;
      end
      $$
    `);
  }

  /** Creates the search texts of the root field `search`, with one index for all records. Triggers of the searched tables write them. */
  private storeSearchTexts(): void {
    // A search scans all pending entries of the index, so their list is limited to 64 kB.
    this.addSql(`
      create table search_text (
        record text not null, -- GraphQL type
        id text not null,
        name text not null, -- all texts are without accents and in lower case
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
    // Unlogged tables have cheap writes. A crash may lose the counts.
    this.addSql(`
      create unlogged table rate_limit (
        key varchar(255) primary key,
        points integer not null default 0, -- used points
        expire bigint -- Unix time in milliseconds
      )
    `);
    // Stores responses to requests with an Idempotency-Key for a day. Only the owner of the key can decrypt a response.
    this.addSql(`
      create table idempotent_response (
        id bytea primary key, -- hash of the key and the caller
        fingerprint bytea not null, -- hash of the request
        attempt_id uuid not null, -- attempt that holds the lease
        leased_until timestamptz not null,
        response bytea, -- encrypted. Null until the request is complete
        created_at timestamptz not null default clock_timestamp(),
        is_committed boolean not null default false -- set in the transaction of the request, and correct even if the response is lost
      );
      create index idempotent_response_created_at_idx on idempotent_response (created_at);
    `);
  }
}
