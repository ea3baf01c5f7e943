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
  readonly requests: number;
  readonly differentResponses: number;
  readonly findings: readonly RouteDifference[];
  /** Differences between responses of the old server to the same request. They are ignored. */
  readonly ignored: readonly Pick<Difference, 'kind' | 'path'>[];
}

/** Comparison result of one request. */
export interface ComparedRequest {
  readonly request: RecordedRequest;
  readonly differences: readonly Difference[];
  /** Differences between two responses of the old server. */
  readonly noise: readonly Difference[];
}

const maxExamples = 3;
const keyOf = ({ kind, path }: Pick<Difference, 'kind' | 'path'>) => `${kind} ${path}`;

const distinct = (differences: readonly Difference[]) => [...new Map(differences.map((each) => [keyOf(each), each])).values()];

function findingsOf(route: string, requests: readonly ComparedRequest[], ignoredPaths: readonly string[]): RouteFindings {
  const noise = distinct(requests.flatMap((each) => each.noise));
  const isIgnored = (each: Difference) => ignoredPaths.includes(each.path) || isNoise(each, noise);
  const byKey = new Map<string, RouteDifference & { examples: RouteDifference['examples'][number][] }>();
  let differentResponses = 0;
  for (const { request, differences } of requests) {
    const relevantDifferences = differences.filter((each) => !isIgnored(each));
    if (relevantDifferences.length > 0) differentResponses += 1;
    for (const { kind, path, old, new: now } of relevantDifferences) {
      const existing = byKey.get(keyOf({ kind, path }));
      const examples = existing?.examples ?? [];
      if (examples.length < maxExamples) examples.push({ request: request.displayUrl, old, new: now });
      byKey.set(keyOf({ kind, path }), { route, kind, path, count: (existing?.count ?? 0) + 1, examples });
    }
  }
  const findings = [...byKey.values()].sort((a, b) => b.count - a.count);
  return { route, requests: requests.length, differentResponses, findings, ignored: noise };
}

/** Groups results by route, those with differences first. Noise of one request is ignored in all requests of its route. */
export function byRoute(requests: readonly ComparedRequest[], ignored: readonly string[]): RouteFindings[] {
  return [...Map.groupBy(requests, ({ request }) => request.name)]
    .map(([route, each]) => findingsOf(route, each, ignored))
    .sort((a, b) => b.differentResponses - a.differentResponses || a.route.localeCompare(b.route));
}
