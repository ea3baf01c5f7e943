import { type Difference, isNoise } from '../comparison/differences.js';
import type { RecordedRequest } from './recorded.js';

/** One kind of difference at one path in the responses of a route. */
export interface RouteDifference {
  readonly route: string;
  readonly kind: Difference['kind'];
  readonly path: string;
  /** Number of responses with this difference. */
  readonly count: number;
  /** The first three requests with this difference. */
  readonly examples: readonly { readonly request: string; readonly old: string; readonly new: string }[];
}

/** Comparison results of one route. */
export interface RouteFindings {
  readonly route: string;
  readonly requestCount: number;
  /** Number of requests whose responses differ. */
  readonly differentCount: number;
  readonly findings: readonly RouteDifference[];
  /** Differences that are ignored, because responses of the old server to the same request differ in the same way. */
  readonly ignoredDifferences: readonly Pick<Difference, 'kind' | 'path'>[];
}

/** Comparison result of one request. */
export interface ComparedRequest {
  readonly request: RecordedRequest;
  readonly differences: readonly Difference[];
  /** Differences between two responses of the old server. */
  readonly noise: readonly Difference[];
  /** Status of both responses. Null if the statuses differ, or if a server did not respond. */
  readonly status: number | null;
}

const maxExamples = 3;
const keyOf = ({ kind, path }: Pick<Difference, 'kind' | 'path'>) => `${kind} ${path}`;

const distinct = (differences: readonly Difference[]) => [
  ...new Map(differences.map((difference) => [keyOf(difference), difference])).values(),
];

function findingsOf(route: string, requests: readonly ComparedRequest[], ignoredPaths: readonly string[]): RouteFindings {
  const noise = distinct(requests.flatMap((request) => request.noise));
  const isIgnored = (difference: Difference) => ignoredPaths.includes(difference.path) || isNoise(difference, noise);
  const byKey = new Map<string, RouteDifference & { examples: RouteDifference['examples'][number][] }>();
  let differentCount = 0;
  for (const { request, differences } of requests) {
    const relevantDifferences = differences.filter((difference) => !isIgnored(difference));
    if (relevantDifferences.length > 0) differentCount += 1;
    for (const { kind, path, old: oldValue, new: newValue } of relevantDifferences) {
      const existing = byKey.get(keyOf({ kind, path }));
      const examples = existing?.examples ?? [];
      if (examples.length < maxExamples) examples.push({ request: request.displayUrl, old: oldValue, new: newValue });
      byKey.set(keyOf({ kind, path }), { route, kind, path, count: (existing?.count ?? 0) + 1, examples });
    }
  }
  const findings = [...byKey.values()].sort((a, b) => b.count - a.count);
  return { route, requestCount: requests.length, differentCount, findings, ignoredDifferences: noise };
}

/**
 * Groups results by route. Sorts the routes by the number of differing responses, highest first. If two responses of the old server to the
 * same request differ, these differences are ignored for all requests of the route.
 */
export function findingsByRoute(requests: readonly ComparedRequest[], ignoredPaths: readonly string[]): RouteFindings[] {
  return [...Map.groupBy(requests, ({ request }) => request.name)]
    .map(([route, routeRequests]) => findingsOf(route, routeRequests, ignoredPaths))
    .sort((a, b) => b.differentCount - a.differentCount || a.route.localeCompare(b.route));
}
