import { recordNamed } from '../../../src/kernel/declare/meta.js';
import { optionsOf } from '../../../src/kernel/declare/record.js';
import type { TestApp } from '../../support/servers/app.js';
import { restoreSessions } from '../callers.js';
import type { Result } from './outcomes.js';

interface Change extends Record<string, unknown> {
  readonly record: string;
  readonly id: string;
  readonly kind: string;
  readonly columns: string[];
}

type Columns = Readonly<Record<string, unknown>>;

/** Columns whose values differ in each row or change with every write. */
const bookkeeping = /^((created|updated)_(at|by|by_id)|inserted_at|version|slug|token_hash|expires_at|transaction_id)$/;

/** Returns the values of a row as text, without bookkeeping columns and with placeholders for new IDs and the current time. */
const describe = (row: Columns, isShown: (column: string) => boolean): string =>
  JSON.stringify(Object.entries(row).filter(([column]) => isShown(column) && !bookkeeping.test(column)))
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
    .replace(/20(2\d)-\d\d-\d\dT[^"]*/g, 'now');

const tableOf = (record: string): string => optionsOf(recordNamed(record)).table;

/** Returns the current rows of the changed records, keyed by record type and ID. */
async function rowsOf({ sql }: TestApp, changes: readonly Change[]): Promise<Map<string, Columns>> {
  const records = [...new Set(changes.map(({ record }) => record))];
  if (records.length === 0) return new Map();
  const selects = records.map(
    (record) => `select '${record} ' || id as key, to_jsonb(r) as row from ${tableOf(record)} r where id = any($1)`,
  );
  const rows = await sql.rows<{ key: string; row: Columns }>(selects.join(' union all '), [changes.map(({ id }) => id)]);
  return new Map(rows.map(({ key, row }) => [key, row]));
}

/** A call that returns its error, or an empty string if it succeeded. */
type Call = () => Promise<{ readonly error: string }>;

/**
 * Runs a call and describes the rows that it wrote, according to the change log. Then deletes the rows that the call created and restores
 * the users and their sessions, so that each call finds the same rows.
 */
export async function effectsOf(app: TestApp, call: Call): Promise<Result> {
  const { sql } = app;
  const last = await sql.row<{ position: string }>('select coalesce(max(position), 0) as position from change');
  const { error } = await call();
  if (error) return { error, text: '' };
  const changes = await sql.rows<Change>(
    'select record, id, kind::text as kind, columns from change where position > $1 order by position',
    [last?.position],
  );
  const rows = await rowsOf(app, changes);
  const created = new Set(changes.filter(({ kind }) => kind === '+').map(({ record, id }) => `${record} ${id}`));
  const texts = changes.map(({ record, id, columns }) => {
    const key = `${record} ${id}`;
    const row = rows.get(key);
    if (!row) return `deleted ${record}`;
    return created.has(key)
      ? `created ${record} ${describe(row, () => true)}`
      : `changed ${record} ${describe(row, (column) => columns.includes(column))}`;
  });
  for (const key of created) {
    const [record = '', ...id] = key.split(' ');
    await sql.rows(`delete from ${tableOf(record)} where id = $1`, [id.join(' ')]);
  }
  if (changes.some(({ record }) => record === 'User')) await restoreUsers(app);
  if (changes.some(({ record }) => record === 'UserToken')) await restoreSessions(sql);
  const shown = texts.filter((text) => !/^changed \w+ \[\]$/.test(text));
  return { error, text: [...new Set(shown)].sort().join('\n') };
}

/** Saves a copy of all users, so that they can be restored after each call. */
export const saveUsers = async ({ sql }: TestApp): Promise<void> => {
  await sql.rows('create table saved_user as select * from app_user');
};

async function restoreUsers({ sql }: TestApp): Promise<void> {
  await sql.rows('delete from app_user u using saved_user s where u.id = s.id and u is distinct from s::text::app_user');
  await sql.rows('insert into app_user select * from saved_user on conflict do nothing');
}
