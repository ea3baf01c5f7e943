import type { Caller } from './declare/caller.js';
import { recordMetas } from './declare/meta.js';

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

let pattern: RegExp | null = null;

/**
 * Whether a statement writes a record whose changes are noted with who made them, by its text: in whichever way it was made, it names the
 * table behind its verb.
 */
export function writesLogged(text: string): boolean {
  pattern ??= new RegExp(`\\b(?:insert into|update|delete from)\\s+"?(?:${loggedTables().join('|')})"?(?!\\w)`, 'i');
  return pattern.test(text);
}

/** Tables whose writes stand in the log of changes: what the records say. */
export const loggedTables = (): string[] =>
  recordMetas().flatMap(({ options }) => (options && !options.unlogged ? [options.table] : []));

/** Tables whose writes are audited: what the records say. */
export const auditedTables = (): string[] => recordMetas().flatMap(({ options }) => (options?.audited ? [options.table] : []));
