import { is, type RowOfShape } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';
import { shadowReadOutcomes } from './shadow-counter.js';
import { inScope, readInScope, type UsageScope } from './usage-scope.js';

/** Returns the SQL expression that converts a column of the batch from Unix time in milliseconds to a timestamp. */
export const timestampFrom = (milliseconds: string) => `to_timestamp(c."${milliseconds}" / 1000)`;

const forEachOutcome = (format: (outcome: string) => string) => shadowReadOutcomes.map(format).join(', ');

/**
 * Returns the SQL of the `with` clauses that add reads and differences. `batch` is the name of a `with` clause. It returns one row if the
 * batch is new, and no rows otherwise.
 */
export const addShadowReads = (batch: string, reads: string, differences: string): string => `
  compared as (
    insert into shadow_read as s (day, caller, platform_id, route, ${forEachOutcome((outcome) => outcome)})
    select c.day, c.caller, c."platformId", c.route, ${forEachOutcome((outcome) => `c.${outcome}`)}
    from ${batch}, jsonb_to_recordset(${reads}) as c (day date, caller text, "platformId" text, route text, ${forEachOutcome((outcome) => `${outcome} bigint`)})
    order by c.day, c.caller, c."platformId", c.route
    on conflict (day, caller, platform_id, route) do update set ${forEachOutcome((outcome) => `${outcome} = s.${outcome} + excluded.${outcome}`)}),
  differing as (
    insert into shadow_difference as d (day, caller, platform_id, route, kind, path, times, first_seen_at, last_seen_at)
    select c.day, c.caller, c."platformId", c.route, c.kind, c.path, c.times, ${timestampFrom('firstAt')}, ${timestampFrom('lastAt')}
    from ${batch}, jsonb_to_recordset(${differences}) as c (day date, caller text, "platformId" text, route text, kind text, path text,
      times bigint, "firstAt" float8, "lastAt" float8)
    order by c.day, c.caller, c."platformId", c.route, c.kind, c.path
    on conflict (day, caller, platform_id, route, kind, path) do update set
      times = d.times + excluded.times,
      first_seen_at = least(d.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(d.last_seen_at, excluded.last_seen_at))`;

const readShape = { route: is.text, same: is.number, different: is.number, unanswered: is.number, dropped: is.number };
const differenceShape = {
  route: is.text,
  kind: is.text,
  path: is.text,
  times: is.number,
  firstSeenAt: is.text,
  lastSeenAt: is.text,
};
export type ShadowReadCounts = RowOfShape<typeof readShape>;
type ShadowDifferenceRow = RowOfShape<typeof differenceShape>;

/** Reads the outcomes of shadow reads, grouped by route, most differences first. */
export const shadowReadsIn = (sql: Session, scope: UsageScope): Promise<ShadowReadCounts[]> =>
  readInScope(
    sql,
    scope,
    'shadow_read',
    `select route, ${forEachOutcome((outcome) => `sum(${outcome})::float8 as ${outcome}`)} from shadow_read where ${inScope}
     group by route order by sum(different) desc, route`,
    readShape,
  );

/** Reads the differences that shadow reads found, most frequent first. */
export const shadowDifferencesIn = (sql: Session, scope: UsageScope, maxRows: number): Promise<ShadowDifferenceRow[]> =>
  readInScope(
    sql,
    scope,
    'shadow_difference',
    `select route, kind, path, sum(times)::float8 as times, min(first_seen_at) as "firstSeenAt", max(last_seen_at) as "lastSeenAt"
     from shadow_difference where ${inScope} group by route, kind, path order by sum(times) desc, route, kind, path limit ${maxRows}`,
    differenceShape,
  );
