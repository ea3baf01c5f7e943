import { createHash } from 'node:crypto';
import type { Row } from '../declare/row.js';
import { checkedRows, is, type RowShape } from '../row-shape.js';
import { type Change, changeOf, changeRow, type Topic } from './change.js';

export type RunQuery = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;

/** PostgreSQL notification channel for new changes. */
export const notificationChannel = 'courtside_changes';

const rowsOf = <S extends RowShape>({ rows }: { rows: unknown[] }, shape: S) => checkedRows(rows as Row[], shape);

const queryOne = async <S extends RowShape>(query: RunQuery, text: string, shape: S) => {
  const [row] = rowsOf(await query(text), shape);
  if (!row) throw new Error('the statement returned no row');
  return row;
};

/**
 * Returns the SQL expression for the name of a log. The name consists of the server's system identifier, its timeline, the renewable ID,
 * and the OIDs of the database and the table. If a dump is restored, the table gets a new OID, even on the same server.
 */
const nameWith = (timeline: string) =>
  `(select concat(system_identifier, ${timeline}, (select id from change_log), ' ',
     (select oid from pg_database where datname = current_database()), ' ', 'change'::regclass::oid)
   from pg_control_system())`;
const logName = nameWith('substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)');

const hashName = (name: string): string => createHash('sha256').update(name).digest('base64url').slice(0, 8);

/** Identity of a log on a server. */
export interface LogIdentity {
  /** ID of the log on its timeline. A restore or a failover changes this ID. Positions in two logs can be compared only after a check. */
  readonly log: string;
  /**
   * ID of the log across timelines. It stays the same after a failover or a restore of the server to an earlier time, unless `renewLog` is
   * called.
   */
  readonly lineage: string;
  /** Part of the log's name. `renewLog` replaces it. */
  readonly renewableId: string;
}

export async function readLogIdentity(query: RunQuery): Promise<LogIdentity> {
  const { name, lineage, renewableId } = await queryOne(
    query,
    `select ${logName} as name, ${nameWith("' '")} as lineage, (select id from change_log) as "renewableId"`,
    { name: is.text, lineage: is.text, renewableId: is.text },
  );
  return { log: hashName(name), lineage: hashName(lineage), renewableId };
}

/**
 * Replaces the ID of the log, which invalidates all earlier positions. Required after a failover that lost changes, and when a server is
 * started on a copy of database files. Otherwise, the log of the copy would have the same name as the original log. With `renewableId`, has
 * no effect if another process has already replaced that ID.
 */
export async function renewLog(query: RunQuery, renewableId: string | null = null): Promise<void> {
  await query('update change_log set id = gen_random_uuid()::text where id = coalesce($1, id)', [renewableId]);
  await query(`notify ${notificationChannel}`);
}

interface LogBounds {
  /** Highest position that has been assigned. */
  readonly last: number;
  /** Highest position of a deleted change. */
  readonly lastRemoved: number;
  /** Current write-ahead log position in bytes. */
  readonly walPosition: number;
  /** Part of the log's name. `renewLog` replaces it. */
  readonly renewableId: string;
}

export const readLogBounds = (query: RunQuery): Promise<LogBounds> =>
  queryOne(
    query,
    `select (select case when is_called then last_value else last_value - 1 end from change_position) as last,
            last_removed_position as "lastRemoved", (pg_current_wal_insert_lsn() - '0/0')::bigint as "walPosition", id as "renewableId"
     from change_log`,
    { last: is.number, lastRemoved: is.number, walPosition: is.number, renewableId: is.text },
  );

/** Returns the position before the most recent `count` changes. */
export const positionBeforeRecentChanges = async (query: RunQuery, until: number, count: number): Promise<number> => {
  const { rows } = await query(
    `select coalesce((select position from change where position <= $1 order by position desc offset $2 limit 1), last_removed_position) as position
     from change_log`,
    [until, count],
  );
  return rowsOf({ rows }, { position: is.number })[0]?.position ?? 0;
};

/** Record names of the changes after a position, with duplicates, and the schema version. */
export interface UnreadChanges {
  readonly records: readonly string[];
  readonly schemaVersion: string;
}

/** Schema version: the number of migrations. */
const schemaVersion = '((select count(*) from mikro_orm_migrations) + (select count(*) from executed_migration))::text';

/** Reads the changes after a position. Returns null if there are `limit` changes or more, or if the log no longer contains the position. */
export async function readUnreadChanges(
  query: RunQuery,
  { log, position }: { log: string; position: number },
  limit: number,
): Promise<UnreadChanges | null> {
  const { rows } = await query(
    `select ${logName} as name, (select last_removed_position from change_log) as "lastRemoved", ${schemaVersion} as "schemaVersion",
            array(select record from change where position > $1 order by position limit $2) as records`,
    [position, limit],
  );
  const [row] = rowsOf({ rows }, { name: is.text, lastRemoved: is.number, schemaVersion: is.text, records: is.texts });
  const isComplete = row && hashName(row.name) === log && row.lastRemoved <= position && row.records.length < limit;
  return isComplete ? row : null;
}

/**
 * Returns the open transactions that write to the log. Each transaction locks the log table before it gets a position. Therefore, a
 * transaction whose position is known has ended if this function does not return it.
 */
export async function readOpenWriters(query: RunQuery): Promise<string[]> {
  const { rows } = await query(
    `select virtualtransaction as writer from pg_locks
     where locktype = 'relation' and mode = 'RowExclusiveLock' and relation = 'change'::regclass
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rowsOf({ rows }, { writer: is.text }).map(({ writer }) => writer);
}

/** Returns the changes in a range of positions, earliest first. `topics` limits the result to the records of these topics. */
export async function readLog(
  query: RunQuery,
  { after, until, limit, topics }: { after: number; until: number; limit: number; topics?: readonly Topic[] },
): Promise<Change[]> {
  const records = topics && [...new Set(topics.map((topic) => topic.split(' ', 1)[0]))];
  const { rows } = await query(
    `select position, at::text as at, record, id, kind::text as kind, columns, refs, actor from change
     where position > $1 and position <= $2 and ($3::text[] is null or record = any($3)) order by position limit $4`,
    [after, until, records ?? null, limit],
  );
  return rowsOf({ rows }, changeRow).map(changeOf);
}

const batchSize = 2_000;

/** Deletes changes older than `days` days, in batches, because readers wait for transactions that write to the log. */
export async function deleteOldChanges(query: RunQuery, days: number): Promise<void> {
  for (let deletedCount = batchSize; deletedCount === batchSize; ) {
    const { rows } = await query(
      `with old as (
         delete from change where position in (
           select position from (select position, at from change order by position limit $1) first
           where at < now() - make_interval(days => $2))
         returning position
       ), updated_log as (
         update change_log set last_removed_position = greatest(last_removed_position, (select max(position) from old)) where exists (select from old)
       )
       select count(*) as n from old`,
      [batchSize, days],
    );
    deletedCount = rowsOf({ rows }, { n: is.number })[0]?.n ?? 0;
  }
}

/** Bits of `pg_trigger.tgtype` for the events insert, delete and update. */
const allEvents = 4 | 8 | 16;

/** Reads the tables whose enabled triggers log all inserts, updates and deletes, and the number of migrations as the schema version. */
export async function readCatalog(query: RunQuery): Promise<{ loggedTables: readonly string[]; schemaVersion: string }> {
  const migrations = await query(`select ${schemaVersion} as version`);
  const { rows } = await query(
    `select c.relname::text as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
       and (select bit_or(t.tgtype) & ${allEvents} = ${allEvents} from pg_trigger t
         where t.tgrelid = c.oid and t.tgname in ('logged', 'logged_insert', 'logged_change') and t.tgenabled in ('O', 'A'))`,
  );
  const [{ version } = { version: '' }] = rowsOf(migrations, { version: is.text });
  return { loggedTables: rowsOf({ rows }, { name: is.text }).map(({ name }) => name), schemaVersion: version };
}
