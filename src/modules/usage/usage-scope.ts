import type { Caller } from '../../kernel/declare/caller.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import { permission } from '../../kernel/declare/policy.js';
import { allOf } from '../../kernel/declare/problems.js';
import type { UsageCaller } from './usage-caller.js';
import { dayLength, utcDayOf } from './usage-group.js';
import type { UsageScope } from './usage-scope-sql.js';

/** Most days of one report. */
export const mostDays = 100;
/** Days of a report that names none. */
export const usualDays = 30;

/** Who sees the calls of all. */
export const seesAll = permission('ADMIN');

const dayBefore = (day: string, days: number) => utcDayOf(Date.parse(day) - days * dayLength);
/** There was no service before. */
const earliest = '2000-01-01';

/** What of the usage a caller asks for. */
export interface UsageArguments {
  readonly from: string | null;
  readonly to: string | null;
  readonly platformId: string | null;
  readonly caller: UsageCaller | null;
}

/** A platform sees its own calls and no others. */
function whose(caller: Caller, { platformId, caller: kind }: UsageArguments): Pick<UsageScope, 'platformId' | 'caller'> {
  if (seesAll.maybe(caller)) return { platformId, caller: kind };
  const id = caller.platform?.id ?? '';
  if (platformId !== null && platformId !== id)
    fail('FORBIDDEN', 'platformId: a platform sees its own calls only', { field: 'platformId' });
  if (kind !== null && kind !== 'PLATFORM') fail('FORBIDDEN', 'caller: a platform sees its own calls only', { field: 'caller' });
  return { platformId: id, caller: 'PLATFORM' };
}

function days({ from, to }: UsageArguments, now: Date): Pick<UsageScope, 'from' | 'to'> {
  const last = to ?? utcDayOf(now.getTime());
  if (last < earliest) reject('to', `a day from ${earliest} on`);
  const first = from ?? dayBefore(last, usualDays - 1);
  if (first > last) reject('from', 'a day that is not after `to`');
  if (Date.parse(last) - Date.parse(first) >= mostDays * dayLength)
    reject('from', `a day at most ${mostDays} days before \`to\``);
  return { from: first, to: last };
}

/** The calls that are meant, as far as the caller may see them. */
export function scopeOf(caller: Caller, args: UsageArguments, now: Date): UsageScope {
  const [of, within] = allOf(
    () => whose(caller, args),
    () => days(args, now),
  );
  return { ...of, ...within };
}
