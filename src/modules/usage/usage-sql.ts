import type { Services } from '../../kernel/declare/context.js';
import { readSql, writeSql } from '../../kernel/facts.js';
import { is, type RowShaped } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';
import type { CountedShadow } from './shadow-counter.js';
import { addShadow, momentAt } from './shadow-sql.js';
import { UsageCaller } from './usage-caller.js';
import type { Counted } from './usage-counter.js';
import { inScope, scopeValues, type UsageScope } from './usage-scope-sql.js';

/**
 * Adds to what there is, in one statement, and in one order, so that processes wait for each other in no circle. A batch of a process that
 * arrived before is not added again.
 */
const add = `
  with fresh as (
    insert into usage_sender as s (id, batch) values ($1, $2)
    on conflict (id) do update set batch = excluded.batch, sent_at = clock_timestamp() where s.batch < excluded.batch
    returning id),
  counted as (
    insert into route_usage as u
      (day, caller, platform_id, route, calls, client_errors, server_errors, latencies, first_seen_at, last_seen_at)
    select c.day, c.caller, c."platformId", c.route, c.calls, c."clientErrors", c."serverErrors", c.latencies,
      ${momentAt('firstAt')}, ${momentAt('lastAt')}
    from fresh, jsonb_to_recordset($3) as c (day date, caller text, "platformId" text, route text, calls bigint, "clientErrors" bigint,
      "serverErrors" bigint, latencies bigint[], "firstAt" float8, "lastAt" float8)
    order by c.day, c.caller, c."platformId", c.route
    on conflict (day, caller, platform_id, route) do update set
      calls = u.calls + excluded.calls,
      client_errors = u.client_errors + excluded.client_errors,
      server_errors = u.server_errors + excluded.server_errors,
      latencies = latencies_added(u.latencies, excluded.latencies),
      first_seen_at = least(u.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(u.last_seen_at, excluded.last_seen_at)),
  ${addShadow('fresh', '$5', '$6')}
  insert into route_pair as p (day, caller, platform_id, first_route, second_route, times)
  select c.day, c.caller, c."platformId", least(c.first, c.second), greatest(c.first, c.second), sum(c.times)
  from fresh, jsonb_to_recordset($4) as c (day date, caller text, "platformId" text, first text, second text, times bigint)
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (day, caller, platform_id, first_route, second_route) do update set times = p.times + excluded.times`;

/** Adds what a process has counted; its batches are numbered. */
export const addUsage = (
  sql: Session,
  sender: string,
  batch: number,
  { routes = [], pairs = [] }: Partial<Counted>,
  { reads = [], differences = [] }: Partial<CountedShadow> = {},
): Promise<unknown> =>
  sql.rows(writeSql(['usage_sender', 'route_usage', 'shadow_read', 'shadow_difference', 'route_pair'], add), [
    sender,
    batch,
    ...[routes, pairs, reads, differences].map((rows) => JSON.stringify(rows)),
  ]);

const sums = `
  sum(calls)::float8 as calls, sum(client_errors)::float8 as "clientErrors", sum(server_errors)::float8 as "serverErrors",
  to_jsonb(latencies_sum(latencies)) as latencies, min(first_seen_at) as "firstSeenAt", max(last_seen_at) as "lastSeenAt"`;

const counts = {
  calls: is.number,
  clientErrors: is.number,
  serverErrors: is.number,
  latencies: is.written<number[]>(),
  firstSeenAt: is.text,
  lastSeenAt: is.text,
};
const routeDay = { ...counts, day: is.text, route: is.text };
const callerTotal = { ...counts, caller: is.oneOf(UsageCaller), platformId: is.text, routes: is.number };
const pair = { first: is.text, second: is.text, times: is.number };

export type RouteDayRow = RowShaped<typeof routeDay>;
export type CallerRow = RowShaped<typeof callerTotal>;
export type PairRow = RowShaped<typeof pair>;

/** What was called on which day, all callers of the scope together. */
export const routeDays = (sql: Session, scope: UsageScope): Promise<RouteDayRow[]> =>
  sql.rows(
    readSql(
      ['route_usage'],
      `select day::text as day, route, ${sums} from route_usage where ${inScope} group by route_usage.day, route order by route, route_usage.day`,
    ),
    scopeValues(scope),
    routeDay,
  );

/** Who called, the most calls first. */
export const callersOf = (sql: Session, scope: UsageScope, most: number): Promise<CallerRow[]> =>
  sql.rows(
    readSql(
      ['route_usage'],
      `select caller, platform_id as "platformId", count(distinct route)::float8 as routes, ${sums} from route_usage where ${inScope}
     group by caller, platform_id order by sum(calls) desc, caller, platform_id limit ${most}`,
    ),
    scopeValues(scope),
    callerTotal,
  );

/** Which routes were called together, the most often first. */
export const pairsOf = (sql: Session, scope: UsageScope, most: number): Promise<PairRow[]> =>
  sql.rows(
    readSql(
      ['route_pair'],
      `select first_route as first, second_route as second, sum(times)::float8 as times from route_pair where ${inScope}
     group by first_route, second_route order by sum(times) desc, first_route, second_route limit ${most}`,
    ),
    scopeValues(scope),
    pair,
  );

/** Every route that a platform has called on the days that are kept. */
export const routesCalledBy = async (sql: Session, platformId: string): Promise<ReadonlySet<string>> => {
  const rows = await sql.rows(
    readSql(['route_usage'], `select distinct route from route_usage where platform_id = $1 and caller = 'PLATFORM'`),
    [platformId],
    { route: is.text },
  );
  return new Set(rows.map(({ route }) => route));
};

/** How many pairs of a platform and day are kept once the day is over. */
const keptPairs = 100;

/** Deletes what is older than the days of the configuration, and of the pairs of past days all but the most frequent. */
export async function forgetUsage(sql: Session, { settings }: Services): Promise<void> {
  const old = `(now() at time zone 'UTC')::date - $1::int`;
  for (const table of ['route_usage', 'route_pair', 'shadow_read', 'shadow_difference'])
    await sql.rows(writeSql([table], `delete from ${table} where day < ${old}`), [settings.usageDays]);
  await sql.rows(
    writeSql(
      ['route_pair'],
      `delete from route_pair p using (
       select ctid, row_number() over (partition by day, caller, platform_id order by times desc, first_route, second_route) as place
       from route_pair where day < (now() at time zone 'UTC')::date) r
     where p.ctid = r.ctid and r.place > ${keptPairs}`,
      ['route_pair'],
    ),
  );
  await sql.rows(writeSql(['usage_sender'], `delete from usage_sender where sent_at < clock_timestamp() - interval '7 days'`));
}
