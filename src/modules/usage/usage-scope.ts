import { fail, reject } from '../../kernel/declare/errors.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import { permission } from '../../kernel/declare/policy/policy.js';
import { runChecks } from '../../kernel/declare/problems.js';
import type { UsageCaller } from './usage-caller.js';
import { dayLength, utcDayOf } from './usage-group.js';
import type { UsageScope } from './usage-scope-sql.js';

/** Maximum number of days in a report. */
export const maxDays = 100;
/** Default number of days in a report. */
export const defaultDays = 30;

/** Policy for reports about all callers. */
export const canSeeAll = permission('ADMIN');

const dayBefore = (day: string, days: number) => utcDayOf(Date.parse(day) - days * dayLength);
/** First valid day. The service did not exist before. */
const earliest = '2000-01-01';

/** Arguments of a usage report. */
export interface UsageArguments {
  readonly from: string | null;
  readonly to: string | null;
  readonly platformId: string | null;
  readonly caller: UsageCaller | null;
}

/** Callers that a report covers. Throws FORBIDDEN if a platform requests calls of others. */
function callersFor(caller: Caller, { platformId, caller: kind }: UsageArguments): Pick<UsageScope, 'platformId' | 'caller'> {
  if (canSeeAll.permitsCaller(caller)) return { platformId, caller: kind };
  const id = caller.platform?.id ?? '';
  if (platformId !== null && platformId !== id)
    fail('FORBIDDEN', 'platformId: a platform sees its own calls only', { field: 'platformId' });
  if (kind !== null && kind !== 'PLATFORM') fail('FORBIDDEN', 'caller: a platform sees its own calls only', { field: 'caller' });
  return { platformId: id, caller: 'PLATFORM' };
}

function daysFor({ from, to }: UsageArguments, now: Date): Pick<UsageScope, 'from' | 'to'> {
  const last = to ?? utcDayOf(now.getTime());
  if (last < earliest) reject('to', `a date on or after ${earliest}`);
  const first = from ?? dayBefore(last, defaultDays - 1);
  if (first > last) reject('from', 'a day that is not after `to`');
  if (Date.parse(last) - Date.parse(first) >= maxDays * dayLength) reject('from', `a day at most ${maxDays} days before \`to\``);
  return { from: first, to: last };
}

/** Scope of a report. Rejects invalid ranges of days and calls that the caller may not see. */
export function scopeOf(caller: Caller, args: UsageArguments, now: Date): UsageScope {
  const [callers, days] = runChecks(
    () => callersFor(caller, args),
    () => daysFor(args, now),
  );
  return { ...callers, ...days };
}
