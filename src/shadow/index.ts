import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type AskedServer, askedServer, type SentRequest } from '../comparison/ask.js';
import { differencesOf, type Outcome } from '../comparison/compare-answers.js';
import { type Difference, isNoise } from '../comparison/differences.js';
import { oldRoutes } from '../comparison/old-routes.js';
import type { Caller } from '../kernel/declare/caller.js';
import type { UsageKeeper } from '../modules/usage/keep-usage.js';
import type { ShadowOutcome } from '../modules/usage/shadow-counter.js';
import { type CopiedAnswer, copyAnswer } from './copied.js';
import { countShadow, ShadowCounts, writtenPath } from './counts.js';

/** Compares responses with those of the old server. */
export interface Shadow {
  /** Selects a share of the reads and copies their responses, without changing them. */
  watch(request: IncomingMessage, response: ServerResponse): void;
  /** Wraps the identification of callers, to remember the caller of a request. */
  knowing(identify: Identify): Identify;
  stop(): void;
}

type Identify = (headers: IncomingHttpHeaders) => Promise<Caller>;

export interface ShadowOptions {
  readonly upstream: string;
  /** Share of the reads to compare, from 0 to 1. */
  readonly share: number;
  /** Persists the counts for all processes. Without it, they are only in metrics and logs. */
  readonly count: UsageKeeper['countShadow'] | undefined;
  readonly log: { warn(details: object, message: string): void };
  /** Timeout of the old server in milliseconds. */
  readonly patience?: number;
}

/** Maximum number of concurrent comparisons. Further reads are dropped. */
const mostAtOnce = 4;
/** Maximum size of a response in bytes. */
const mostBytes = 2 ** 20;

/** Header of requests to the old server. It prevents loops. */
export const shadowHeader = 'courtside-shadow';

/** Headers that are sent to the old server: credentials and content negotiation only. */
const passedOn = ['pb-api-token', 'pb-user-token', 'authorization', 'accept', 'accept-language', 'user-agent'];

/** Whether the old server can give the same response. It has no publishable keys, and conditional requests return 304. */
const isComparable = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers['if-none-match'] === undefined &&
  headers[shadowHeader] === undefined &&
  !`${headers['pb-api-token']} ${headers.authorization}`.includes('pk_');

/** These statuses only depend on the load of the server. */
const isBusy = (status: number) => status === 429 || status === 503;

/** Rehearsed removals of a route are expected to differ. */
const isRehearsed = ({ status, headers }: CopiedAnswer) => status === 410 && headers['sunset-rehearsal'] !== undefined;

const requestOf = ({ url = '', headers }: IncomingMessage): SentRequest => ({
  method: 'GET',
  path: url,
  body: null,
  isRead: true,
  headers: [
    ...passedOn.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [name, String(value)];
    }),
    'accept-encoding',
    'identity',
    shadowHeader,
    '1',
  ],
});

/** A read to compare. */
interface Watched {
  readonly route: string;
  readonly sent: SentRequest;
  readonly origin: string;
  readonly headers: IncomingHttpHeaders;
}

/** Starts the comparison. It runs in the background and never affects requests. */
export async function startShadow({ upstream, share, count, log, patience = 10_000 }: ShadowOptions): Promise<Shadow> {
  const counts = new ShadowCounts();
  const routeOf = oldRoutes();
  const old: AskedServer = await askedServer(upstream, { patience, most: mostBytes, connections: mostAtOnce });
  const callers = new WeakMap<IncomingHttpHeaders, Caller>();
  let running = 0;
  countShadow(counts);

  const tell = ({ route, headers }: Watched, outcome: ShadowOutcome, differences: readonly Difference[] = []) => {
    counts.outcomes[outcome] += 1;
    // Logs each difference once, without values.
    const found = differences.map(({ kind, path }) => ({ kind, path: writtenPath(path) }));
    const added = Map.groupBy(found, ({ kind, path }) => counts.add(route, kind, path));
    const fresh = added.get('first') ?? [];
    if (fresh.length > 0) log.warn({ route, differences: fresh }, 'the old server answers something else');
    count?.(route, callers.get(headers) ?? null, outcome, [...fresh, ...(added.get('known') ?? [])]);
  };

  async function compare(watched: Watched, live: CopiedAnswer): Promise<void> {
    const { sent, origin } = watched;
    const first = await old.ask(sent);
    if ('failure' in first || isBusy(first.status)) return tell(watched, 'unanswered');
    const answer: Outcome = { ...live, origin };
    const found = differencesOf(first, answer);
    // Repeats the request to find out which values of the old server are not stable.
    const again = found.length > 0 ? await old.ask(sent) : first;
    const noise = 'failure' in again ? [] : differencesOf(first, again);
    const real = found.filter((each) => !isNoise(each, noise));
    tell(watched, real.length > 0 ? 'different' : 'same', real);
  }

  return {
    knowing: (identify) => async (headers) => {
      const caller = await identify(headers);
      callers.set(headers, caller);
      return caller;
    },
    watch(request, response) {
      if (Math.random() >= share || !isComparable(request)) return;
      const { name, writes } = routeOf('GET', request.url ?? '');
      if (name === null || writes) return;
      const { headers } = request;
      const watched: Watched = { route: name, sent: requestOf(request), origin: `http://${headers.host ?? ''}`, headers };
      copyAnswer(response, mostBytes, (live) => {
        if (!live || running >= mostAtOnce) tell(watched, 'dropped');
        else if (!isBusy(live.status) && !isRehearsed(live)) {
          running += 1;
          compare(watched, live)
            .catch(() => tell(watched, 'unanswered'))
            .finally(() => {
              running -= 1;
            });
        }
      });
    },
    stop() {
      countShadow(null);
      old.close();
    },
  };
}
