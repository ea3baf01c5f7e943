import type { Services } from '../../kernel/declare/context.js';
import { sqlForReading, sqlForWriting } from '../../kernel/facts.js';
import { is, type RowOfShape } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';
import type { CountedShadowReads } from './shadow-counter.js';
import { addShadowReads, timestampFrom } from './shadow-sql.js';
import type { CountedUsage } from './usage-counter.js';
import { UsageCaller } from './usage-group.js';
import { graphRoute, inScope, isGraphRoute, readInScope, type UsageScope } from './usage-scope.js';

/** SQL statement that adds the counts in a batch. A fixed row order avoids deadlocks. A repeated batch is ignored. */
const addStatement = `
  with fresh as (
    insert into usage_sender as s (id, batch) values ($1, $2)
    on conflict (id) do update set batch = excluded.batch, sent_at = clock_timestamp() where s.batch < excluded.batch
    returning id),
  counted as (
    insert into route_usage as u
      (day, caller, platform_id, route, calls, client_errors, server_errors, latencies, first_seen_at, last_seen_at)
    select c.day, c.caller, c."platformId", c.route, c.calls, c."clientErrors", c."serverErrors", c.latencies,
      ${timestampFrom('firstAt')}, ${timestampFrom('lastAt')}
    from fresh, jsonb_to_recordset($3) as c (day date, caller text, "platformId" text, route text, calls bigint, "clientErrors" bigint,
      "serverErrors" bigint, latencies bigint[], "firstAt" float8, "lastAt" float8)
    order by c.day, c.caller, c."platformId", c.route
    on conflict (day, caller, platform_id, route) do update set
      calls = u.calls + excluded.calls,
      client_errors = u.client_errors + excluded.client_errors,
      server_errors = u.server_errors + excluded.server_errors,
      latencies = add_latencies(u.latencies, excluded.latencies),
      first_seen_at = least(u.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(u.last_seen_at, excluded.last_seen_at)),
  ${addShadowReads('fresh', '$5', '$6')}
  insert into route_pair as p (day, caller, platform_id, first_route, second_route, times)
  select c.day, c.caller, c."platformId", least(c.first, c.second), greatest(c.first, c.second), sum(c.times)
  from fresh, jsonb_to_recordset($4) as c (day date, caller text, "platformId" text, first text, second text, times bigint)
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (day, caller, platform_id, first_route, second_route) do update set times = p.times + excluded.times`;

/** Adds the counts of a process. `sender` and `batch` identify a batch, so that a repeated batch is added only once. */
export const addUsage = (
  sql: Session,
  sender: string,
  batch: number,
  { routes = [], pairs = [] }: Partial<CountedUsage>,
  { reads = [], differences = [] }: Partial<CountedShadowReads> = {},
): Promise<unknown> =>
  sql.rows(sqlForWriting(['usage_sender', 'route_usage', 'shadow_read', 'shadow_difference', 'route_pair'], addStatement), [
    sender,
    batch,
    ...[routes, pairs, reads, differences].map((rows) => JSON.stringify(rows)),
  ]);

/** Returns the SQL of the sums over the rows that meet a condition. */
const sumsWhere = (condition: string) => {
  const filter = `filter (where ${condition})`;
  return `(sum(calls) ${filter})::float8 as calls, (sum(client_errors) ${filter})::float8 as "clientErrors",
  (sum(server_errors) ${filter})::float8 as "serverErrors", to_jsonb(sum_latencies(latencies) ${filter}) as latencies,
  min(first_seen_at) ${filter} as "firstSeenAt", max(last_seen_at) ${filter} as "lastSeenAt"`;
};
const sums = sumsWhere('true');

const countShape = {
  calls: is.number,
  clientErrors: is.number,
  serverErrors: is.number,
  latencies: is.json<number[]>(),
  firstSeenAt: is.text,
  lastSeenAt: is.text,
};
const routeDayShape = { ...countShape, day: is.text, route: is.text };
const callerShape = { ...countShape, caller: is.oneOf(UsageCaller), platformId: is.text, routes: is.number };
const pairShape = { first: is.text, second: is.text, times: is.number };

export type RouteDayRow = RowOfShape<typeof routeDayShape>;
export type CallerRow = RowOfShape<typeof callerShape>;
export type RoutePairRow = RowOfShape<typeof pairShape>;

const routeDaysWhere = (condition: string) =>
  `select day::text as day, route, ${sums} from route_usage where ${inScope} and ${condition} group by route_usage.day, route order by route, route_usage.day`;

/** Reads the counts per `/v1` route and day, summed over all callers in the scope. */
export const countsPerRouteAndDay = (sql: Session, scope: UsageScope): Promise<RouteDayRow[]> =>
  readInScope(sql, scope, 'route_usage', routeDaysWhere(`not ${isGraphRoute}`), routeDayShape);

/** Reads the counts of the graph per root field and day. `graphRoute` contains all operations. */
export const countsPerRootFieldAndDay = (sql: Session, scope: UsageScope): Promise<RouteDayRow[]> =>
  readInScope(sql, scope, 'route_usage', routeDaysWhere(isGraphRoute), routeDayShape);

/** Reads the number of `/v1` calls per caller, most calls first. */
export const callersOf = (sql: Session, scope: UsageScope, maxRows: number): Promise<CallerRow[]> =>
  readInScope(
    sql,
    scope,
    'route_usage',
    `select caller, platform_id as "platformId", count(distinct route)::float8 as routes, ${sums}
     from route_usage where ${inScope} and not ${isGraphRoute}
     group by caller, platform_id order by sum(calls) desc, caller, platform_id limit ${maxRows}`,
    callerShape,
  );

/** Reads the counts of the graph per caller, most operations first. `routes` is the number of distinct root fields. */
export const graphCallersOf = (sql: Session, scope: UsageScope, maxRows: number): Promise<CallerRow[]> => {
  const isTotal = `route = '${graphRoute}'`;
  return readInScope(
    sql,
    scope,
    'route_usage',
    `select caller, platform_id as "platformId", (count(distinct route) filter (where not ${isTotal}))::float8 as routes, ${sumsWhere(isTotal)}
     from route_usage where ${inScope} and ${isGraphRoute} group by caller, platform_id having bool_or(${isTotal})
     order by sum(calls) filter (where ${isTotal}) desc, caller, platform_id limit ${maxRows}`,
    callerShape,
  );
};

/** Reads the pairs of co-occurring routes, most frequent first. */
export const pairsOf = (sql: Session, scope: UsageScope, maxRows: number): Promise<RoutePairRow[]> =>
  readInScope(
    sql,
    scope,
    'route_pair',
    `select first_route as first, second_route as second, sum(times)::float8 as times from route_pair where ${inScope}
     group by first_route, second_route order by sum(times) desc, first_route, second_route limit ${maxRows}`,
    pairShape,
  );

/** Reads the routes of `/v1` that a platform has called in the last `USAGE_DAYS` days. */
export const routesCalledBy = async (sql: Session, platformId: string): Promise<ReadonlySet<string>> => {
  const rows = await sql.rows(
    sqlForReading(
      ['route_usage'],
      `select distinct route from route_usage where platform_id = $1 and caller = 'PLATFORM' and not ${isGraphRoute}`,
    ),
    [platformId],
    { route: is.text },
  );
  return new Set(rows.map(({ route }) => route));
};

/** Maximum number of pairs per caller and past day. */
const maxPairsPerDay = 100;

/**
 * Deletes counts older than `USAGE_DAYS` days, all but the most frequent pairs of past days, and senders that have sent nothing for 7 days.
 */
export async function deleteOldUsage(sql: Session, { settings }: Services): Promise<void> {
  const firstDay = `(now() at time zone 'UTC')::date - $1::int`;
  for (const table of ['route_usage', 'route_pair', 'shadow_read', 'shadow_difference'])
    await sql.rows(sqlForWriting([table], `delete from ${table} where day < ${firstDay}`), [settings.usageDays]);
  await sql.rows(
    sqlForWriting(
      ['route_pair'],
      `delete from route_pair p using (
       select ctid, row_number() over (partition by day, caller, platform_id order by times desc, first_route, second_route) as place
       from route_pair where day < (now() at time zone 'UTC')::date) r
     where p.ctid = r.ctid and r.place > ${maxPairsPerDay}`,
      ['route_pair'],
    ),
  );
  await sql.rows(
    sqlForWriting(['usage_sender'], `delete from usage_sender where sent_at < clock_timestamp() - interval '7 days'`),
  );
}
