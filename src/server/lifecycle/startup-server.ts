import type { RequestListener } from 'node:http';
import type { Config } from '../../config/index.js';
import { flushHeaders, requestIdOf } from '../../graphql/http/response-headers.js';
import type { Upgrades } from '../../graphql/subscriptions/sockets.js';
import { type FinishedRequest, requestFactsOf } from '../../kernel/monitoring/request-facts.js';
import { observeRequests } from '../observe-requests.js';
import { type ListeningServer, listen } from './listen.js';
import type { OpenResources } from './open-resources.js';

/** Seconds after which clients may retry. */
const retryAfter = 5;

/**
 * Handles requests while the service prepares its database. `/livez` and `/health` return 200, and `/readyz` returns 503 with the reason.
 * All other requests get a 503 with `Retry-After`.
 */
const startupListener =
  (reason: () => string): RequestListener =>
  (request, response) => {
    const path = (request.url ?? '').replace(/\/?(\?.*)?$/, '');
    const isLive = path === '/livez' || path === '/health';
    const isProbe = isLive || path === '/readyz';
    const requestId = requestIdOf(response);
    flushHeaders(response);
    request.resume();
    if (!isProbe) response.setHeader('retry-after', retryAfter);
    const facts = requestFactsOf(response);
    if (facts) facts.unavailability = { reason: 'starting', cause: reason() };
    response
      .writeHead(isLive ? 200 : 503, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        // Clients open a new connection for the next request, which another worker can then accept.
        connection: 'close',
      })
      .end(JSON.stringify(bodyOf(path, requestId, isLive ? null : reason())));
  };

function bodyOf(path: string, requestId: number, reason: string | null): object {
  if (reason === null) return { status: 'up' };
  if (path === '/readyz') return { status: 'down', reason };
  const message = 'the service is starting';
  return path.startsWith('/v1/')
    ? { Code: 503, Message: message, Timestamp: Math.floor(Date.now() / 1000), RequestId: requestId }
    : { errors: [{ message, extensions: { code: 'UNAVAILABLE', retryAfter } }] };
}

/** Server that a process starts first. It answers probes while the database is being prepared, so that no orchestrator kills the process. */
export class StartupServer {
  #reason = '';
  #listening: ListeningServer | null = null;

  constructor(
    readonly config: Pick<Config, 'host' | 'port'>,
    readonly resources: OpenResources,
    /** Receives the requests that are refused during the start, except for probes. */
    readonly report: (request: FinishedRequest) => void,
  ) {}

  /** Sets the reason that `/readyz` returns. Opens the port on first use. */
  async setReason(reason: string): Promise<void> {
    this.#reason = reason;
    if (this.#listening) return;
    this.#listening = await listen(
      observeRequests(
        startupListener(() => this.#reason),
        this.report,
      ),
      this.config,
    );
    this.resources.add(this.#listening.close);
  }

  /** Serves the application. Opens the port if it is not open yet. The caller must close the server before the application. */
  async serve(application: RequestListener, upgrades: Upgrades | null): Promise<ListeningServer> {
    this.#listening ??= await listen(application, this.config);
    this.#listening.serve(application, upgrades);
    return this.#listening;
  }
}
