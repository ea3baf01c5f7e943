import { describeCache } from '../caches.js';
import { columnsOf, metaOf, type RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import type { RowsById } from '../declare/row.js';
import { type Pools, Session } from '../session.js';
import { queryBuilder, statementOf } from '../statement.js';
import { cacheVersion, readCacheVersion, recentCacheVersion } from './cache-version-sql.js';
import { selectionFor } from './selection.js';

interface CachedRows {
  readonly version: string;
  /** The rows. A promise until they have been read. */
  rows: RowsById | Promise<RowsById>;
}

describeCache({
  name: 'rows of reference data',
  limit: 'all rows',
  validity: 'reference data changes, checked every 0.5 s',
});

const caches = new WeakMap<Pools, Map<RecordClass, CachedRows>>();

async function readRows(sql: Session, cls: RecordClass): Promise<RowsById> {
  const { columns } = selectionFor(cls, [...columnsOf(metaOf(cls)).keys()]);
  const statement = statementOf(`constant ${cls.name}`, () =>
    queryBuilder.selectFrom(`${optionsOf(cls).table} as r`).select(columns),
  );
  return new Map((await sql.statement(statement, [])).map((row) => [row.id, row]));
}

/**
 * Returns the rows of a `constant` record, keyed by ID. They are cached until one of them changes. Returns a promise only if the rows must
 * be read.
 */
export function constantRows(sql: Session, cls: RecordClass): RowsById | Promise<RowsById> {
  if (sql.isInTransaction) return rowsInTransaction(sql, cls);
  const version = cacheVersion(sql.pools);
  return typeof version === 'string'
    ? rowsOf(sql, cls, version)
    : version.then((currentVersion) => rowsOf(sql, cls, currentVersion));
}

/**
 * Returns the rows of a `constant` record. Reads them on the connection of the transaction: if all transactions of a full pool waited for a
 * second connection, none could continue.
 */
async function rowsInTransaction(sql: Session, cls: RecordClass): Promise<RowsById> {
  const records = recordsOf(sql.pools);
  const cached = records.get(cls);
  const cachedRows = cached && !(cached.rows instanceof Promise) ? cached.rows : null;
  if (cachedRows && cached?.version === recentCacheVersion(sql.pools)) return cachedRows;
  const version = await readCacheVersion(sql);
  if (cachedRows && cached?.version === version) return cachedRows;
  const rows = await readRows(sql, cls);
  records.set(cls, { version, rows });
  return rows;
}

function recordsOf(pools: Pools): Map<RecordClass, CachedRows> {
  const records = caches.get(pools) ?? new Map<RecordClass, CachedRows>();
  caches.set(pools, records);
  return records;
}

function rowsOf({ pools, sources }: Session, cls: RecordClass, version: string): RowsById | Promise<RowsById> {
  sources?.addCachedVersion(version);
  const records = recordsOf(pools);
  const cached = records.get(cls);
  if (cached?.version === version) return cached.rows;
  const pendingRows = readRows(new Session(pools, 'write'), cls);
  const entry: CachedRows = { version, rows: pendingRows };
  records.set(cls, entry);
  pendingRows.then(
    (rows) => {
      entry.rows = rows;
    },
    () => records.get(cls) === entry && records.delete(cls),
  );
  return pendingRows;
}
