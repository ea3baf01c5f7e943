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

/** Whether a statement writes a record that is audited, by its text: in whichever way it was made, it names the table behind its verb. */
export function writesAudited(text: string): boolean {
  pattern ??= new RegExp(`\\b(?:insert into|update|delete from)\\s+"?(?:${auditedTables().join('|')})"?(?!\\w)`, 'i');
  return pattern.test(text);
}

/** Tables whose writes are audited: what the records say. */
export const auditedTables = (): string[] => recordMetas().flatMap(({ options }) => (options?.audited ? [options.table] : []));
