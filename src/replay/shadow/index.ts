import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import type { RequestFacts } from '../../kernel/monitoring/request-facts.js';
import type { ShadowOutcome } from '../../modules/usage/shadow-counter.js';
import type { UsageRecorder } from '../../modules/usage/usage-recorder.js';
import { differencesOf, type Outcome } from '../comparison/compare-responses.js';
import { type Difference, isNoise } from '../comparison/differences.js';
import { createRouteFinder } from '../comparison/route-finder.js';
import { type ComparedServer, connectServer, type SentRequest } from '../comparison/server.js';
import { type CopiedResponse, copyResponse } from './copy-response.js';
import { ShadowCounts, safePath, setShadowCounts } from './counts.js';

/** Sends a share of the reads to the old server as well, and compares the responses. */
export interface Shadow {
  /** Decides at random whether to compare a request. If so, copies the response without changing it. */
  watch(request: IncomingMessage, response: ServerResponse): void;
  /** Wraps the function that identifies callers, so that the caller of each request is stored. */
  trackCallers(identify: Identify): Identify;
  stop(): void;
}

type Identify = (headers: IncomingHttpHeaders, facts?: RequestFacts) => Promise<Caller>;

export interface ShadowOptions {
  /** URL of the old server. */
  readonly upstream: string;
  /** Share of the reads to compare, from 0 to 1. */
  readonly share: number;
  /** Stores the outcome of a comparison for all processes. If undefined, outcomes appear only in metrics and logs. */
  readonly recordShadowRead: UsageRecorder['countShadow'] | undefined;
  readonly log: { warn(details: object, message: string): void };
  /** Timeout of a request to the old server, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
}

/** Maximum number of concurrent comparisons. Reads beyond this limit are not compared. */
const maxConcurrent = 4;
/** Maximum size of a response in bytes. */
const maxBytes = 2 ** 20;

/** Header that marks requests to the old server. Requests with this header are not compared, which prevents loops. */
const shadowHeader = 'courtside-shadow';

/** Headers that are sent to the old server: credentials and content negotiation only. */
const forwardedHeaders = ['pb-api-token', 'pb-user-token', 'authorization', 'accept', 'accept-language', 'user-agent'];

/**
 * Whether the old server can be expected to return the same response. It does not know publishable keys, and it can answer conditional
 * requests with 304.
 */
const isComparable = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers['if-none-match'] === undefined &&
  headers[shadowHeader] === undefined &&
  !`${headers['pb-api-token']} ${headers.authorization}`.includes('pk_');

/** Whether a status results from a rate limit or from server load, rather than from the request. */
const isBusy = (status: number) => status === 429 || status === 503;

/** Whether a route returns 410 to rehearse its removal. The old server does not rehearse removals, so its response differs. */
const isRehearsed = ({ status, headers }: CopiedResponse) => status === 410 && headers['sunset-rehearsal'] !== undefined;

const requestOf = ({ url = '', headers }: IncomingMessage): SentRequest => ({
  method: 'GET',
  path: url,
  body: null,
  isRead: true,
  headers: [
    ...forwardedHeaders.flatMap((name) => {
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
interface ShadowRead {
  readonly route: string;
  readonly request: SentRequest;
  /** Origin of the new server, from the `Host` header of the request. */
  readonly origin: string;
  readonly headers: IncomingHttpHeaders;
}

/** Starts comparing reads. Comparisons run in the background and do not delay responses. */
export async function startShadow({
  upstream,
  share,
  recordShadowRead,
  log,
  timeoutMs = 10_000,
}: ShadowOptions): Promise<Shadow> {
  const counts = new ShadowCounts();
  const routeOf = createRouteFinder();
  const oldServer: ComparedServer = connectServer(upstream, { timeoutMs, maxBytes, connections: maxConcurrent });
  const callers = new WeakMap<IncomingHttpHeaders, Caller>();
  let runningCount = 0;
  setShadowCounts(counts);

  const report = ({ route, headers }: ShadowRead, outcome: ShadowOutcome, differences: readonly Difference[] = []) => {
    counts.outcomes[outcome] += 1;
    // Each difference is logged once, without values.
    const safeDifferences = differences.map(({ kind, path }) => ({ kind, path: safePath(path) }));
    const addedDifferences = Map.groupBy(safeDifferences, ({ kind, path }) => counts.add(route, kind, path));
    const newDifferences = addedDifferences.get('first') ?? [];
    if (newDifferences.length > 0)
      log.warn({ route, differences: newDifferences }, 'the response differs from that of the old server');
    recordShadowRead?.(route, callers.get(headers) ?? null, outcome, [
      ...newDifferences,
      ...(addedDifferences.get('known') ?? []),
    ]);
  };

  async function compare(shadowRead: ShadowRead, liveResponse: CopiedResponse): Promise<void> {
    const { request, origin } = shadowRead;
    const oldOutcome = await oldServer.sendRequest(request);
    if ('failure' in oldOutcome || isBusy(oldOutcome.status)) return report(shadowRead, 'unanswered');
    const newOutcome: Outcome = { ...liveResponse, origin };
    const differences = differencesOf(oldOutcome, newOutcome);
    // Repeats the request to find the values that change between responses of the old server.
    const repeatedOutcome = differences.length > 0 ? await oldServer.sendRequest(request) : oldOutcome;
    const noise = 'failure' in repeatedOutcome ? [] : differencesOf(oldOutcome, repeatedOutcome);
    const stableDifferences = differences.filter((difference) => !isNoise(difference, noise));
    report(shadowRead, stableDifferences.length > 0 ? 'different' : 'same', stableDifferences);
  }

  return {
    trackCallers: (identify) => async (headers, facts) => {
      const caller = await identify(headers, facts);
      callers.set(headers, caller);
      return caller;
    },
    watch(request, response) {
      if (Math.random() >= share || !isComparable(request)) return;
      const { name, isWrite } = routeOf('GET', request.url ?? '');
      if (name === null || isWrite) return;
      const { headers } = request;
      const shadowRead: ShadowRead = {
        route: name,
        request: requestOf(request),
        origin: `http://${headers.host ?? ''}`,
        headers,
      };
      copyResponse(response, maxBytes, (newResponse) => {
        if (!newResponse || runningCount >= maxConcurrent) report(shadowRead, 'dropped');
        else if (!isBusy(newResponse.status) && !isRehearsed(newResponse)) {
          runningCount += 1;
          compare(shadowRead, newResponse)
            .catch(() => report(shadowRead, 'unanswered'))
            .finally(() => {
              runningCount -= 1;
            });
        }
      });
    },
    stop() {
      setShadowCounts(null);
      oldServer.close();
    },
  };
}
