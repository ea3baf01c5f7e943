import type { Session } from '../../kernel/session.js';
import { type Latencies, percentile, sumLatencies } from './latencies.js';
import type { LegacyRoutes, ReplacementQuery } from './legacy-routes.js';
import { dayLength, utcDayOf } from './usage-group.js';
import type { UsageScope } from './usage-scope.js';
import { type CallerRow, countsPerRouteAndDay, pairsOf, type RouteDayRow, type RoutePairRow } from './usage-sql.js';
import type { CallerUsage, PlatformUsage, RoutesTogether, RouteUsage, UsageCounts, UsageDay } from './usage-values.js';

/** Lists the days in a range, including both ends. */
const daysBetween = (from: string, to: string): string[] =>
  Array.from({ length: Math.round((Date.parse(to) - Date.parse(from)) / dayLength) + 1 }, (_, n) =>
    utcDayOf(Date.parse(from) + n * dayLength),
  );

type RawCounts = Pick<UsageCounts, 'calls' | 'clientErrors' | 'serverErrors' | 'firstSeenAt' | 'lastSeenAt'> & {
  readonly latencies: Latencies;
};

/** Replaces the histogram in the counts with percentiles. */
export const withPercentiles = ({ latencies, ...counts }: RawCounts): UsageCounts => ({
  ...counts,
  p50: percentile(latencies, 0.5),
  p95: percentile(latencies, 0.95),
  p99: percentile(latencies, 0.99),
});

const sum = (rows: readonly RawCounts[], key: 'calls' | 'clientErrors' | 'serverErrors') =>
  rows.reduce((total, row) => total + row[key], 0);

const sortedTimes = (rows: readonly RawCounts[], key: 'firstSeenAt' | 'lastSeenAt') =>
  rows.flatMap((row) => row[key] ?? []).sort((left, right) => Date.parse(left) - Date.parse(right));

/** Adds the counts of several rows. */
export const totalOf = (rows: readonly RawCounts[]): UsageCounts =>
  withPercentiles({
    calls: sum(rows, 'calls'),
    clientErrors: sum(rows, 'clientErrors'),
    serverErrors: sum(rows, 'serverErrors'),
    latencies: sumLatencies(rows.map(({ latencies }) => latencies)),
    firstSeenAt: sortedTimes(rows, 'firstSeenAt').at(0) ?? null,
    lastSeenAt: sortedTimes(rows, 'lastSeenAt').at(-1) ?? null,
  });

/** Usage report for a scope. Field resolvers derive their values from `rows`. */
export interface UsageReport extends PlatformUsage {
  readonly scope: UsageScope;
  readonly rows: readonly RouteDayRow[];
}

export async function usageReport(sql: Session, scope: UsageScope): Promise<UsageReport> {
  const rows = await countsPerRouteAndDay(sql, scope);
  return { scope, rows, from: scope.from, to: scope.to, counts: totalOf(rows) };
}

/** Returns the counts for all days of a report, including days without calls. */
export function countsPerDay({ scope: { from, to }, rows }: Pick<UsageReport, 'scope' | 'rows'>): UsageDay[] {
  const rowsByDay = Map.groupBy(rows, ({ day }) => day);
  return daysBetween(from, to).map((day) => ({ day, counts: totalOf(rowsByDay.get(day) ?? []) }));
}

/** Usage of a route by one platform or by all callers. `platformId` is the ID of the platform, or null for all callers. */
export interface RouteUsageSource extends RouteUsage {
  readonly platformId: string | null;
}

/** Returns all called routes, most calls first. */
export const routesOf = ({ rows, scope }: Pick<UsageReport, 'scope' | 'rows'>): RouteUsageSource[] =>
  [...Map.groupBy(rows, ({ route }) => route)]
    .map(([route, routeRows]) => ({
      route,
      platformId: scope.platformId,
      counts: totalOf(routeRows),
      days: routeRows.map((row) => ({ day: row.day, counts: withPercentiles(row) })),
    }))
    .sort((left, right) => right.counts.calls - left.counts.calls || (left.route < right.route ? -1 : 1));

/** Maximum number of callers in a report. */
export const maxCallers = 100;

/** Returns the counts of callers, with percentiles. */
export const callerUsagesOf = (rows: readonly CallerRow[]): CallerUsage[] =>
  rows.map(({ caller, platformId, routes, ...counts }) => ({
    caller,
    platformId: platformId || null,
    routes,
    counts: withPercentiles(counts),
  }));

/** Maximum number of pairs in a report. */
const maxPairs = 50;

/** Two co-occurring routes, with the query that replaces them. */
export interface RoutesTogetherSource extends RoutesTogether {
  readonly query: ReplacementQuery;
}

/** Reads the co-occurring routes that one query can replace, most frequent first. */
export async function coOccurringRoutes(
  sql: Session,
  report: UsageReport,
  { replacementFor }: LegacyRoutes,
): Promise<RoutesTogetherSource[]> {
  const calls = new Map(routesOf(report).map(({ route, counts }) => [route, counts.calls] as const));
  const shareOf = ({ first, second, times }: RoutePairRow) =>
    Math.min(1, times / Math.max(1, Math.min(calls.get(first) ?? 0, calls.get(second) ?? 0)));
  return (await pairsOf(sql, report.scope, maxPairs)).flatMap((pair) => {
    const routes = [...new Set([pair.first, pair.second])];
    const query = replacementFor(routes);
    if (!query) return [];
    return [{ routes, times: pair.times, share: Math.round(shareOf(pair) * 1000) / 1000, query }];
  });
}
