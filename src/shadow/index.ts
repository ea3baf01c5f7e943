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

/** Asks the old server what this one has answered. */
export interface Shadow {
  /** Takes part of the reads; an answer that it takes is written as it would be. */
  watch(request: IncomingMessage, response: ServerResponse): void;
  /** What tells who sends a request, by its headers; whom it finds is remembered for as long as the request is there. */
  knowing(identify: Identify): Identify;
  stop(): void;
}

type Identify = (headers: IncomingHttpHeaders) => Promise<Caller>;

export interface ShadowOptions {
  readonly upstream: string;
  /** Which part of the reads, from 0 to 1. */
  readonly share: number;
  /** Counts for all processes; without it, what is found is told by metrics and logs alone. */
  readonly count: UsageKeeper['countShadow'] | undefined;
  readonly log: { warn(details: object, message: string): void };
  /** Milliseconds that the old server has for an answer. */
  readonly patience?: number;
}

/** Most requests at once: what comes meanwhile is dropped. */
const mostAtOnce = 4;
/** Most bytes of an answer. */
const mostBytes = 2 ** 20;

/** Marks requests to the old server: one that comes back here is not sent on. */
export const shadowHeader = 'courtside-shadow';

/** Who asks, and for what. No other header goes to the old server. */
const passedOn = ['pb-api-token', 'pb-user-token', 'authorization', 'accept', 'accept-language', 'user-agent'];

/** Whether the old server could give the same answer: it knows no publishable keys, and what a client has already is answered with 304. */
const isComparable = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers['if-none-match'] === undefined &&
  headers[shadowHeader] === undefined &&
  !`${headers['pb-api-token']} ${headers.authorization}`.includes('pk_');

/** Of these an answer tells how busy a server is, and nothing else. */
const isBusy = (status: number) => status === 429 || status === 503;

/** A route that is gone for a trial is not answered otherwise than before. */
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

/** A read that is asked again. */
interface Watched {
  readonly route: string;
  readonly sent: SentRequest;
  readonly origin: string;
  readonly headers: IncomingHttpHeaders;
}

/** Starts to count what differs. Nothing that it does is waited for, and nothing of it fails a request. */
export async function startShadow({ upstream, share, count, log, patience = 10_000 }: ShadowOptions): Promise<Shadow> {
  const counts = new ShadowCounts();
  const routeOf = oldRoutes();
  const old: AskedServer = await askedServer(upstream, { patience, most: mostBytes, connections: mostAtOnce });
  const callers = new WeakMap<IncomingHttpHeaders, Caller>();
  let running = 0;
  countShadow(counts);

  const tell = ({ route, headers }: Watched, outcome: ShadowOutcome, differences: readonly Difference[] = []) => {
    counts.outcomes[outcome] += 1;
    // Once for each, and without values.
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
    // Only now is it asked again: what its own answers differ in is no difference.
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
