import { fail, reject } from '../../kernel/declare/errors.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import { permission } from '../../kernel/declare/policy/policy.js';
import { runChecks } from '../../kernel/declare/problems.js';
import { sqlForReading } from '../../kernel/facts.js';
import type { RowOfShape, RowShape } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';
import { dayLength, type UsageCaller, utcDayOf } from './usage-group.js';

/** Days and callers of a report. A null `platformId` selects all platforms, and a null `caller` selects all callers. */
export interface UsageScope {
  readonly from: string;
  readonly to: string;
  readonly platformId: string | null;
  readonly caller: UsageCaller | null;
}

/** SQL condition that a row is in a scope, for statements that `readInScope` runs. */
export const inScope = `day between $1 and $2 and ($3::text is null or caller = 'PLATFORM' and platform_id = $3) and ($4::text is null or caller = $4)`;

/** Name under which all operations of the graph are counted. Routes of `/v1` have other names: a method and a path. */
export const graphRoute = 'GRAPHQL';

/** Name under which the operations with a root field are counted, such as `GRAPHQL query tournaments`. */
export const graphRouteOf = (type: string, field: string): string => `${graphRoute} ${type} ${field}`;

/** SQL condition for the counts of the graph. All other counts are those of `/v1`. */
export const isGraphRoute = `route like '${graphRoute}%'`;

/** Reads the rows in a scope, with a statement that contains `inScope`. */
export const readInScope = <S extends RowShape>(
  sql: Session,
  { from, to, platformId, caller }: UsageScope,
  table: string,
  text: string,
  shape: S,
): Promise<RowOfShape<S>[]> => sql.rows(sqlForReading([table], text), [from, to, platformId, caller], shape);

/** Maximum number of days in a report. */
export const maxReportDays = 100;
/** Default number of days in a report. */
export const defaultReportDays = 30;

/** Policy of callers who can see reports about all callers. */
export const canSeeAllUsage = permission('ADMIN');

const dayBefore = (day: string, days: number) => utcDayOf(Date.parse(day) - days * dayLength);
/** Earliest valid day. The service did not exist before then. */
const firstValidDay = '2000-01-01';

interface UsageArguments {
  readonly from: string | null;
  readonly to: string | null;
  readonly platformId: string | null;
  readonly caller: UsageCaller | null;
}

/** Returns the callers of a report. Throws FORBIDDEN if a platform requests calls of other callers. */
function callersFor(caller: Caller, { platformId, caller: kind }: UsageArguments): Pick<UsageScope, 'platformId' | 'caller'> {
  if (canSeeAllUsage.permitsCaller(caller)) return { platformId, caller: kind };
  const id = caller.platform?.id ?? '';
  if (platformId !== null && platformId !== id)
    fail('FORBIDDEN', 'platformId: a platform can see only its own calls', { field: 'platformId' });
  if (kind !== null && kind !== 'PLATFORM')
    fail('FORBIDDEN', 'caller: a platform can see only its own calls', { field: 'caller' });
  return { platformId: id, caller: 'PLATFORM' };
}

function daysFor({ from, to }: UsageArguments, now: Date): Pick<UsageScope, 'from' | 'to'> {
  const lastDay = to ?? utcDayOf(now.getTime());
  if (lastDay < firstValidDay) reject('to', `a date on or after ${firstValidDay}`);
  const firstDay = from ?? dayBefore(lastDay, defaultReportDays - 1);
  if (firstDay > lastDay) reject('from', 'a day on or before `to`');
  if (Date.parse(lastDay) - Date.parse(firstDay) >= maxReportDays * dayLength)
    reject('from', `a day at most ${maxReportDays - 1} days before \`to\``);
  return { from: firstDay, to: lastDay };
}

/** Returns the scope of a report. Rejects invalid ranges of days, and calls that the caller may not see. */
export function scopeOf(caller: Caller, args: UsageArguments, now: Date): UsageScope {
  const [callers, days] = runChecks(
    () => callersFor(caller, args),
    () => daysFor(args, now),
  );
  return { ...callers, ...days };
}
