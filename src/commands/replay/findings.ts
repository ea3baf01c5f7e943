import { type Difference, isNoise } from '../../comparison/differences.js';
import type { Recorded } from './recorded.js';

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
  readonly differing: number;
  readonly findings: readonly RouteDifference[];
  /** Differences between responses of the old server to the same request. They are ignored. */
  readonly ignored: readonly Pick<Difference, 'kind' | 'path'>[];
}

/** Comparison result of one request. */
export interface Compared {
  readonly recorded: Recorded;
  readonly differences: readonly Difference[];
  /** Differences between two responses of the old server. */
  readonly noise: readonly Difference[];
}

const maxExamples = 3;
const keyOf = ({ kind, path }: Pick<Difference, 'kind' | 'path'>) => `${kind} ${path}`;

const unique = (differences: readonly Difference[]) => [...new Map(differences.map((each) => [keyOf(each), each])).values()];

function findingsOf(route: string, compared: readonly Compared[], ignoredPaths: readonly string[]): RouteFindings {
  const noise = unique(compared.flatMap((each) => each.noise));
  const isIgnored = (each: Difference) => ignoredPaths.includes(each.path) || isNoise(each, noise);
  const byKey = new Map<string, RouteDifference & { examples: RouteDifference['examples'][number][] }>();
  let differing = 0;
  for (const { recorded, differences } of compared) {
    const real = differences.filter((each) => !isIgnored(each));
    if (real.length > 0) differing += 1;
    for (const { kind, path, old, new: now } of real) {
      const existing = byKey.get(keyOf({ kind, path }));
      const examples = existing?.examples ?? [];
      if (examples.length < maxExamples) examples.push({ request: recorded.shown, old, new: now });
      byKey.set(keyOf({ kind, path }), { route, kind, path, count: (existing?.count ?? 0) + 1, examples });
    }
  }
  const findings = [...byKey.values()].sort((a, b) => b.count - a.count);
  return { route, requests: compared.length, differing, findings, ignored: noise };
}

/** Groups results by route, those with differences first. Noise of one request is ignored in all requests of its route. */
export function byRoute(compared: readonly Compared[], ignored: readonly string[]): RouteFindings[] {
  return [...Map.groupBy(compared, ({ recorded }) => recorded.name)]
    .map(([route, each]) => findingsOf(route, each, ignored))
    .sort((a, b) => b.differing - a.differing || a.route.localeCompare(b.route));
}
