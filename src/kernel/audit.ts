import { recordMetas } from './declare/meta.js';
import type { Caller } from './declare/policy/caller.js';
import type { Facts } from './facts.js';

/** Sets the actor of the transaction, which the triggers of audited tables read. The setting ends with the transaction. */
export const setActorSql = `select set_config('courtside.actor', $1, true)`;

/** Origin of a write. */
export type WriteSource = 'REQUEST' | 'COMMAND' | 'SERVICE';

/** Actor of audit entries, as JSON: IDs and the network address, but no name. */
export const actorOf = ({ user, platform, key }: Caller, address: string, source: WriteSource): string =>
  JSON.stringify({
    source,
    userId: user?.id ?? null,
    platformId: platform?.id ?? key?.platformId ?? null,
    keyId: key?.id ?? null,
    address: address || null,
  });

/** Creates a test whether a statement writes one of these tables. Their names are read once, on the first write. */
function writesOneOf(tables: () => string[]): (facts: Pick<Facts, 'writtenTables'>) => boolean {
  let tableNames: ReadonlySet<string> | null = null;
  return ({ writtenTables }) => {
    if (writtenTables.length === 0) return false;
    tableNames ??= new Set(tables());
    const names = tableNames;
    return writtenTables.some((table) => names.has(table));
  };
}

/** Tables with writes that the change log records, by the options of the records. */
export const loggedTables = (): string[] =>
  recordMetas().flatMap(({ options }) => (options && !options.unlogged ? [options.table] : []));

/** Tables with writes that the audit trail records, by the options of the records. */
export const auditedTables = (): string[] => recordMetas().flatMap(({ options }) => (options?.audited ? [options.table] : []));

/** Whether a statement writes a record that is in the change log. */
export const writesLoggedTable = writesOneOf(loggedTables);

/** Whether a statement writes an audited record. */
export const writesAuditedTable = writesOneOf(auditedTables);

const platformWriters = new WeakMap<object, string>();

/** The caller as JSON, recorded as the author of change log entries. Cached for platforms, which write often. */
export function writerOf({ user, platform, key }: Caller): string {
  const soloPlatform = user || key ? null : platform;
  const cachedWriter = soloPlatform && platformWriters.get(soloPlatform);
  if (cachedWriter) return cachedWriter;
  const writer = JSON.stringify({ userId: user?.id ?? null, platformId: platform?.id ?? key?.platformId ?? null });
  if (soloPlatform) platformWriters.set(soloPlatform, writer);
  return writer;
}
