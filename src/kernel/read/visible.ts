import type { Caller } from '../declare/caller.js';
import { fail } from '../declare/errors.js';
import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import type { Param } from '../session.js';

/** Which rows of a record a caller sees, as SQL over the table aliased `r`; null for all. */
export function visibleRows(cls: RecordClass, caller: Caller, param: Param): string | null {
  const { seenBy, visible } = optionsOf(cls);
  if (!seenBy) return visible?.(caller, param) ?? null;
  return caller.platform ? null : `r.${columnOf(metaOf(cls), seenBy).column} = ${param(caller.user?.id ?? '')}`;
}

/** Refuses the rows of one user to another: FORBIDDEN, because an empty list would look like an answer. */
export function checkSeen(cls: RecordClass, by: unknown, users: readonly unknown[], { platform, user }: Caller): void {
  const { seenBy, many } = optionsOf(cls);
  if (platform || seenBy === undefined || by !== seenBy || users.every((id) => id === user?.id)) return;
  fail('FORBIDDEN', `only for: platform or the user whose ${many} they are`);
}

const operandsOf = (condition: unknown): unknown[] => {
  const { eq, in: any } = (condition ?? {}) as { eq?: unknown; in?: unknown };
  return [eq, any].flat().filter((id) => id !== undefined && id !== null);
};

/** Refuses a filter that asks for the rows of other users by their ids. */
export function checkAsked(cls: RecordClass, filter: Readonly<Record<string, unknown>>, caller: Caller): void {
  const { seenBy } = optionsOf(cls);
  if (!seenBy) return;
  checkSeen(cls, seenBy, operandsOf(filter[seenBy]), caller);
  for (const parts of [filter.and, filter.or])
    for (const part of Array.isArray(parts) ? parts : []) checkAsked(cls, part, caller);
}
