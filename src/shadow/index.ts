import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AskedServer, askedServer, type SentRequest } from '../comparison/ask.js';
import { differencesOf, type Outcome } from '../comparison/compare-answers.js';
import { isNoise } from '../comparison/differences.js';
import { oldRoutes } from '../comparison/old-routes.js';
import { type CopiedAnswer, copyAnswer } from './copied.js';
import { countShadow, ShadowCounts } from './counts.js';

/** Asks the old server what this one has answered. */
export interface Shadow {
  /** Takes part of the reads; an answer that it takes is written as it would be. */
  watch(request: IncomingMessage, response: ServerResponse): void;
  stop(): void;
}

export interface ShadowOptions {
  readonly upstream: string;
  /** Which part of the reads, from 0 to 1. */
  readonly share: number;
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

/** Starts to count what differs. Nothing that it does is waited for, and nothing of it fails a request. */
export async function startShadow({ upstream, share, log, patience = 10_000 }: ShadowOptions): Promise<Shadow> {
  const counts = new ShadowCounts();
  const routeOf = oldRoutes();
  const old: AskedServer = await askedServer(upstream, { patience, most: mostBytes, connections: mostAtOnce });
  let running = 0;
  countShadow(counts);

  const tell = (route: string, differences: ReturnType<typeof differencesOf>) => {
    const fresh = differences.filter(({ kind, path }) => counts.add(route, kind, path));
    // Once for each, and without values.
    if (fresh.length > 0)
      log.warn({ route, differences: fresh.map(({ kind, path }) => ({ kind, path })) }, 'the old server answers something else');
  };

  async function compare(route: string, sent: SentRequest, live: CopiedAnswer, origin: string): Promise<void> {
    const first = await old.ask(sent);
    if ('failure' in first || isBusy(first.status)) {
      counts.outcomes.unanswered += 1;
      return;
    }
    const answer: Outcome = { ...live, origin };
    const found = differencesOf(first, answer);
    // Only now is it asked again: what its own answers differ in is no difference.
    const again = found.length > 0 ? await old.ask(sent) : first;
    const noise = 'failure' in again ? [] : differencesOf(first, again);
    const real = found.filter((each) => !isNoise(each, noise));
    counts.outcomes[real.length > 0 ? 'different' : 'same'] += 1;
    tell(route, real);
  }

  return {
    watch(request, response) {
      if (Math.random() >= share || !isComparable(request)) return;
      const { name, writes } = routeOf('GET', request.url ?? '');
      if (name === null || writes) return;
      const sent = requestOf(request);
      const origin = `http://${request.headers.host ?? ''}`;
      copyAnswer(response, mostBytes, (live) => {
        if (!live || running >= mostAtOnce) counts.outcomes.dropped += 1;
        else if (!isBusy(live.status)) {
          running += 1;
          compare(name, sent, live, origin)
            .catch(() => {
              counts.outcomes.unanswered += 1;
            })
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
