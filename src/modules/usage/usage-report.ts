import type { Session } from '../../kernel/session.js';
import { addedUp, type Latencies, percentile } from './latencies.js';
import type { LegacyRoutes, OneQuery } from './legacy-routes.js';
import { dayLength, utcDayOf } from './usage-group.js';
import type { UsageScope } from './usage-scope-sql.js';
import { type PairRow, pairsOf, type RouteDayRow, routeDays } from './usage-sql.js';
import type { PlatformUsage, RoutesTogether, RouteUsage, UsageCounts, UsageDay } from './usage-values.js';

/** The days from one to another, both among them. */
export const daysBetween = (from: string, to: string): string[] =>
  Array.from({ length: Math.round((Date.parse(to) - Date.parse(from)) / dayLength) + 1 }, (_, n) =>
    utcDayOf(Date.parse(from) + n * dayLength),
  );

type Counted = Pick<UsageCounts, 'calls' | 'clientErrors' | 'serverErrors' | 'firstSeenAt' | 'lastSeenAt'> & {
  readonly latencies: Latencies;
};

/** What is told of counts. */
export const figuresOf = ({ latencies, ...counts }: Counted): UsageCounts => ({
  ...counts,
  p50: percentile(latencies, 0.5),
  p95: percentile(latencies, 0.95),
  p99: percentile(latencies, 0.99),
});

const sum = (rows: readonly Counted[], key: 'calls' | 'clientErrors' | 'serverErrors') =>
  rows.reduce((all, row) => all + row[key], 0);

const moments = (rows: readonly Counted[], key: 'firstSeenAt' | 'lastSeenAt') =>
  rows.flatMap((row) => row[key] ?? []).sort((a, b) => Date.parse(a) - Date.parse(b));

/** The counts of several rows together. */
const together = (rows: readonly Counted[]): UsageCounts =>
  figuresOf({
    calls: sum(rows, 'calls'),
    clientErrors: sum(rows, 'clientErrors'),
    serverErrors: sum(rows, 'serverErrors'),
    latencies: addedUp(rows.map(({ latencies }) => latencies)),
    firstSeenAt: moments(rows, 'firstSeenAt').at(0) ?? null,
    lastSeenAt: moments(rows, 'lastSeenAt').at(-1) ?? null,
  });

const byDay = (rows: readonly RouteDayRow[]): Map<string, RouteDayRow[]> => Map.groupBy(rows, ({ day }) => day);

/** What was called in a scope; what else is told of it follows from the rows. */
export interface UsageReport extends PlatformUsage {
  readonly scope: UsageScope;
  readonly rows: readonly RouteDayRow[];
}

/** Reads what was called. */
export async function usageReport(sql: Session, scope: UsageScope): Promise<UsageReport> {
  const rows = await routeDays(sql, scope);
  return { scope, rows, from: scope.from, to: scope.to, counts: together(rows) };
}

/** All days, those without calls among them. */
export function burnDown({ scope: { from, to }, rows }: UsageReport): UsageDay[] {
  const known = byDay(rows);
  return daysBetween(from, to).map((day) => ({ day, counts: together(known.get(day) ?? []) }));
}

/** A route that was called, and the platform whose calls they are; null for those of all. */
export interface KnownRouteUsage extends RouteUsage {
  readonly platformId: string | null;
}

/** All routes that were called, the most called first. */
export const routesOf = ({ rows, scope }: UsageReport): KnownRouteUsage[] =>
  [...Map.groupBy(rows, ({ route }) => route)]
    .map(([route, own]) => ({
      route,
      platformId: scope.platformId,
      counts: together(own),
      days: own.map((row) => ({ day: row.day, counts: figuresOf(row) })),
    }))
    .sort((a, b) => b.counts.calls - a.counts.calls || (a.route < b.route ? -1 : 1));

/** Most pairs that are told. */
const mostPairs = 50;

/** Routes that are called together, and the query that could be asked instead. */
export interface KnownRoutesTogether extends RoutesTogether {
  readonly one: OneQuery;
}

/** What was called together and can be one query, the most frequent first. */
export async function togetherIn(sql: Session, report: UsageReport, { asOne }: LegacyRoutes): Promise<KnownRoutesTogether[]> {
  const calls = new Map(routesOf(report).map(({ route, counts }) => [route, counts.calls] as const));
  const shareOf = ({ first, second, times }: PairRow) =>
    Math.min(1, times / Math.max(1, Math.min(calls.get(first) ?? 0, calls.get(second) ?? 0)));
  return (await pairsOf(sql, report.scope, mostPairs)).flatMap((pair) => {
    const routes = [...new Set([pair.first, pair.second])];
    const one = asOne(routes);
    if (!one) return [];
    return [{ routes, times: pair.times, share: Math.round(shareOf(pair) * 1000) / 1000, one }];
  });
}
