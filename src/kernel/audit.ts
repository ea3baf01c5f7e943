import { recordMetas } from './declare/meta.js';
import type { Caller } from './declare/policy/caller.js';
import type { StatementFacts } from './facts.js';

/** Sets the actor of the transaction, for the triggers of audited tables. The setting ends with the transaction. */
export const setActorSql = `select set_config('courtside.actor', $1, true)`;

/** Origin of a write. */
type WriteSource = 'REQUEST' | 'COMMAND' | 'SERVICE';

/**
 * Returns the actor of audit entries as JSON: the source of the write, the IDs of the user, platform and publishable key, and the network
 * address, but no name.
 */
export const actorOf = ({ user, platform, key }: Caller, address: string, source: WriteSource): string =>
  JSON.stringify({
    source,
    userId: user?.id ?? null,
    platformId: platform?.id ?? key?.platformId ?? null,
    keyId: key?.id ?? null,
    address: address || null,
  });

/** Returns a function that checks whether a statement writes to one of the tables. Calls `tables` once, on the first write. */
function writesOneOf(tables: () => string[]): (facts: Pick<StatementFacts, 'writtenTables'>) => boolean {
  let tableNames: ReadonlySet<string> | null = null;
  return ({ writtenTables }) => {
    if (writtenTables.length === 0) return false;
    tableNames ??= new Set(tables());
    const names = tableNames;
    return writtenTables.some((table) => names.has(table));
  };
}

/** Returns the tables of all records whose changes are logged. */
export const loggedTables = (): string[] =>
  recordMetas().flatMap(({ options }) => (options && !options.unlogged ? [options.table] : []));

/** Returns the tables of all records that are audited. */
export const auditedTables = (): string[] => recordMetas().flatMap(({ options }) => (options?.audited ? [options.table] : []));

/** Whether a statement writes to one of the `loggedTables`. */
export const writesLoggedTable = writesOneOf(loggedTables);

/** Whether a statement writes to one of the `auditedTables`. */
export const writesAuditedTable = writesOneOf(auditedTables);

const platformWriters = new WeakMap<object, string>();

/** Returns the caller as JSON, for the column `actor` of the change log. Cached for platforms, because they write often. */
export function writerOf({ user, platform, key }: Caller): string {
  const soloPlatform = user || key ? null : platform;
  const cachedWriter = soloPlatform && platformWriters.get(soloPlatform);
  if (cachedWriter) return cachedWriter;
  const writer = JSON.stringify({ userId: user?.id ?? null, platformId: platform?.id ?? key?.platformId ?? null });
  if (soloPlatform) platformWriters.set(soloPlatform, writer);
  return writer;
}
