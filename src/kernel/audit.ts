import type { Caller } from './declare/caller.js';
import { recordMetas } from './declare/meta.js';
import type { Facts } from './facts.js';

/** Where the triggers of audited tables look for who writes: a setting that ends with the transaction. */
export const tellActor = `select set_config('courtside.actor', $1, true)`;

/** Where a write comes from. */
export type WriteSource = 'REQUEST' | 'COMMAND' | 'SERVICE';

/** Who writes, as audit entries have it: ids and the network address, no name. */
export const actorOf = ({ user, platform, key }: Caller, address: string, source: WriteSource): string =>
  JSON.stringify({
    source,
    userId: user?.id ?? null,
    platformId: platform?.id ?? key?.platformId ?? null,
    keyId: key?.id ?? null,
    address: address || null,
  });

/** Returns whether a statement writes one of these tables. They are read from the records once, with the first write. */
function writesOneOf(tables: () => string[]): (facts: Pick<Facts, 'writes'>) => boolean {
  let known: ReadonlySet<string> | null = null;
  return ({ writes }) => {
    if (writes.length === 0) return false;
    known ??= new Set(tables());
    const names = known;
    return writes.some((table) => names.has(table));
  };
}

/** Tables whose writes stand in the log of changes: what the records say. */
export const loggedTables = (): string[] =>
  recordMetas().flatMap(({ options }) => (options && !options.unlogged ? [options.table] : []));

/** Tables whose writes are audited: what the records say. */
export const auditedTables = (): string[] => recordMetas().flatMap(({ options }) => (options?.audited ? [options.table] : []));

/** Whether a statement writes a record whose changes are noted with who made them. */
export const writesLogged = writesOneOf(loggedTables);

/** Whether a statement writes a record that is audited. */
export const writesAudited = writesOneOf(auditedTables);

const known = new WeakMap<object, string>();

/** Who writes, as the log of changes has it. A platform writes again and again. */
export function writerOf({ user, platform, key }: Caller): string {
  const alone = user || key ? null : platform;
  const found = alone && known.get(alone);
  if (found) return found;
  const writer = JSON.stringify({ userId: user?.id ?? null, platformId: platform?.id ?? key?.platformId ?? null });
  if (alone) known.set(alone, writer);
  return writer;
}
