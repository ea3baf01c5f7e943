import { createHash } from 'node:crypto';
import type { Row } from '../declare/row.js';
import { is, type RowShape, shaped } from '../row-shape.js';
import { type Change, changeOf, changeRow, type Topic } from './change.js';

/** Runs a statement with its values. */
export type AskLog = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;

/** On which the processes tell each other that something was written. */
export const channel = 'courtside_changes';

const rowsOf = <S extends RowShape>({ rows }: { rows: unknown[] }, shape: S) => shaped(rows as Row[], shape);

const one = async <S extends RowShape>(ask: AskLog, text: string, shape: S) => {
  const [row] = rowsOf(await ask(text), shape);
  if (!row) throw new Error('a statement without a row');
  return row;
};

/**
 * What a log is called by: the server, its timeline, and itself. A dump that is restored beside what it was taken of has its name, and
 * tables of other numbers.
 */
const logName = `(select concat(system_identifier, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), (select id from change_log), ' ',
     (select oid from pg_database where datname = current_database()), ' ', 'change'::regclass::oid)
   from pg_control_system())`;

const idOf = (name: string): string => createHash('sha256').update(name).digest('base64url').slice(0, 8);

/** Which log it is: another one after a restore or a failover, whose positions say nothing of those before. */
export async function logIdOf(ask: AskLog): Promise<string> {
  const { name } = await one(ask, `select ${logName} as name`, { name: is.text });
  return idOf(name);
}

/** Up to which position there may be changes, up to which they were forgotten, and how many bytes the server had written to its own log. */
export const endsOfLog = (ask: AskLog): Promise<{ last: number; forgotten: number; written: number }> =>
  one(
    ask,
    `select (select case when is_called then last_value else last_value - 1 end from change_position) as last,
            (select forgotten from change_log) as forgotten, (pg_current_wal_insert_lsn() - '0/0')::bigint as written`,
    { last: is.number, forgotten: is.number, written: is.number },
  );

/** The position behind which the last so many changes stand. */
export const beforeRecent = async (ask: AskLog, until: number, most: number): Promise<number> => {
  const { rows } = await ask(
    `select coalesce((select position from change where position <= $1 order by position desc offset $2 limit 1), forgotten) as position
     from change_log`,
    [until, most],
  );
  return rowsOf({ rows }, { position: is.number })[0]?.position ?? 0;
};

/** What is behind a position: the records of the changes that are committed by now, each as often as it changed, and the shape of the database. */
export interface Behind {
  readonly records: readonly string[];
  readonly shape: string;
}

/** How often the database was migrated: until then its tables and functions are the same. */
const shape = '(select count(*)::text from mikro_orm_migrations)';

/** What is behind a place; null where that is more than so many changes, or where the log has it no more. */
export async function behind(
  ask: AskLog,
  { log, position }: { log: string; position: number },
  most: number,
): Promise<Behind | null> {
  const { rows } = await ask(
    `select ${logName} as name, (select forgotten from change_log) as forgotten, ${shape} as shape,
            array(select record from change where position > $1 order by position limit $2) as records`,
    [position, most],
  );
  const [found] = rowsOf({ rows }, { name: is.text, forgotten: is.number, shape: is.text, records: is.texts });
  const isKnown = found && idOf(found.name) === log && found.forgotten <= position && found.records.length < most;
  return isKnown ? found : null;
}

/**
 * The transactions that have written to the log and are open: what they wrote may have any position that was given out before. A position
 * is taken only with the log's table locked, so that whoever is not among them when it is asked for after the position was read has come
 * to its end.
 */
export async function writersOfLog(ask: AskLog): Promise<string[]> {
  const { rows } = await ask(
    `select virtualtransaction as writer from pg_locks
     where locktype = 'relation' and mode = 'RowExclusiveLock' and relation = 'change'::regclass
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rowsOf({ rows }, { writer: is.text }).map(({ writer }) => writer);
}

/** The changes behind a position up to another one, the earliest first, at most so many; with topics only those that may be among them. */
export async function readLog(
  ask: AskLog,
  { after, until, most, topics }: { after: number; until: number; most: number; topics?: readonly Topic[] },
): Promise<Change[]> {
  const records = topics && [...new Set(topics.map((topic) => topic.split(' ', 1)[0]))];
  const { rows } = await ask(
    `select position, at::text as at, record, id, kind::text as kind, columns, refs, actor from change
     where position > $1 and position <= $2 and ($3::text[] is null or record = any($3)) order by position limit $4`,
    [after, until, records ?? null, most],
  );
  return rowsOf({ rows }, changeRow).map(changeOf);
}

const batch = 2_000;

/** Forgets what was written before so many days, some thousands at a time: readers wait for who writes to the log. */
export async function forgetChanges(ask: AskLog, days: number): Promise<void> {
  for (let forgotten = batch; forgotten === batch; ) {
    const { rows } = await ask(
      `with old as (
         delete from change where position in (
           select position from (select position, at from change order by position limit $1) first
           where at < now() - make_interval(days => $2))
         returning position
       ), kept as (
         update change_log set forgotten = greatest(forgotten, (select max(position) from old)) where exists (select from old)
       )
       select count(*) as n from old`,
      [batch, days],
    );
    forgotten = rowsOf({ rows }, { n: is.number })[0]?.n ?? 0;
  }
}
