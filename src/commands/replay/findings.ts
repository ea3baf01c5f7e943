import { type Difference, isNoise } from '../../comparison/differences.js';
import type { Recorded } from './recorded.js';

/** Requests of a route whose answers differ in one way at one path. */
export interface Found {
  readonly route: string;
  readonly kind: Difference['kind'];
  readonly path: string;
  readonly count: number;
  /** The first few of them. */
  readonly examples: readonly { readonly request: string; readonly old: string; readonly new: string }[];
}

/** A route with its requests. */
export interface RouteFindings {
  readonly route: string;
  readonly requests: number;
  readonly differing: number;
  readonly findings: readonly Found[];
  /** What the old server's own answers differ in. */
  readonly ignored: readonly Pick<Difference, 'kind' | 'path'>[];
}

/** What came of one request. */
export interface Compared {
  readonly recorded: Recorded;
  readonly differences: readonly Difference[];
  readonly noise: readonly Difference[];
}

const mostExamples = 3;
const keyOf = ({ kind, path }: Pick<Difference, 'kind' | 'path'>) => `${kind} ${path}`;

const unique = (differences: readonly Difference[]) => [...new Map(differences.map((each) => [keyOf(each), each])).values()];

function findingsOf(route: string, compared: readonly Compared[], asked: readonly string[]): RouteFindings {
  const noise = unique(compared.flatMap((each) => each.noise));
  const ignored = (each: Difference) => asked.includes(each.path) || isNoise(each, noise);
  const found = new Map<string, Found & { examples: Found['examples'][number][] }>();
  let differing = 0;
  for (const { recorded, differences } of compared) {
    const real = differences.filter((each) => !ignored(each));
    if (real.length > 0) differing += 1;
    for (const { kind, path, old, new: now } of real) {
      const known = found.get(keyOf({ kind, path }));
      const examples = known?.examples ?? [];
      if (examples.length < mostExamples) examples.push({ request: recorded.shown, old, new: now });
      found.set(keyOf({ kind, path }), { route, kind, path, count: (known?.count ?? 0) + 1, examples });
    }
  }
  const findings = [...found.values()].sort((a, b) => b.count - a.count);
  return { route, requests: compared.length, differing, findings, ignored: noise };
}

/** By route: those with differences first. What one request of a route showed to be noise is noise in all of them. */
export function byRoute(compared: readonly Compared[], ignored: readonly string[]): RouteFindings[] {
  return [...Map.groupBy(compared, ({ recorded }) => recorded.name)]
    .map(([route, each]) => findingsOf(route, each, ignored))
    .sort((a, b) => b.differing - a.differing || a.route.localeCompare(b.route));
}
