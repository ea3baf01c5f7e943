import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createListener, type Server as Listener } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/index.js';
import type { Upgrades } from '../../graphql/subscriptions/sockets.js';
import { portOf } from '../../process/port.js';
import { StartProblem } from '../../process/start-problem.js';
import { isRefused, refuseRequest, refuseUnreadableRequest, refuseUpgrade } from './refuse.js';

/** A listening server. */
export interface ListeningServer {
  /** Port that the server listens on. Differs from the configured port only if that is 0. */
  port: number;
  /** Switches to another application, which serves all later requests. */
  serve(application: RequestListener, upgrades: Upgrades | null): void;
  /** Keeps accepting requests for this many seconds, and asks clients to open new connections (`Connection: close`). */
  drain(seconds: number): Promise<void>;
  /** Stops accepting requests, completes the requests in progress, and closes remaining connections after ten seconds. */
  close(): Promise<void>;
}

/** Timeouts for receiving requests, in milliseconds. */
interface ArrivalLimit {
  /** Maximum time for a request to arrive. */
  readonly timeout: number;
  /** Time between two checks of all connections. The first check after the timeout refuses the request. */
  readonly checkInterval: number;
}

export const arrivalLimit: ArrivalLimit = { timeout: 20_000, checkInterval: 5_000 };

/** Returns the server options that limit the time for a request to arrive. */
export const arrivalOptions = ({ timeout, checkInterval } = arrivalLimit): ServerOptions => ({
  requestTimeout: timeout,
  headersTimeout: timeout,
  connectionsCheckingInterval: checkInterval,
});

/** Timeout for clients that do not read their response, in milliseconds. */
const inactivityTimeout = 120_000;
/** Keep-alive timeout of idle connections, and the grace period for requests in transit, in milliseconds. */
const keepAlive = 5_000;
const keepAliveBuffer = 5_000;

/**
 * Whether a request has several `Host` headers, is an HTTP/1.1 request without a `Host` header, or uses a version other than HTTP/1.
 * Proxies could interpret such requests differently.
 */
export function isAmbiguousRequest({ httpVersionMajor, httpVersionMinor, rawHeaders }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1) return true;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1 || (hosts === 0 && httpVersionMinor > 0);
}

/** Serves the application on the configured address. */
export async function listen(
  application: RequestListener,
  config: Pick<Config, 'host' | 'port'>,
  upgrades: Upgrades | null = null,
  arrival: ArrivalLimit = arrivalLimit,
): Promise<ListeningServer> {
  let served = { application, upgrades };
  const servedUpgrades: Upgrades = {
    isSocketRequest: (request) => served.upgrades?.isSocketRequest(request) ?? false,
    upgrade: (...parts) => served.upgrades?.upgrade(...parts),
  };
  const options: ServerOptions = {
    ...arrivalOptions(arrival),
    keepAliveTimeout: keepAlive,
    keepAliveTimeoutBuffer: keepAliveBuffer,
    // Disables Node's check of the `Host` header, which would send Node's own response and close the connection with unread data.
    // `isAmbiguousRequest` checks the header instead.
    requireHostHeader: false,
    ...upgradesOf(servedUpgrades),
  };
  const server = createServer(options, (request, response) => {
    if (isRefused(request.socket)) request.resume();
    else if (isAmbiguousRequest(request)) refuseRequest(request, response);
    else served.application(request, response);
  })
    .on('clientError', refuseUnreadableRequest)
    .on('connect', refuseUpgrade)
    .on('upgrade', (request, socket, head) =>
      isAmbiguousRequest(request) ? refuseUpgrade(request, socket) : servedUpgrades.upgrade(request, socket, head),
    );
  server.setTimeout(inactivityTimeout);
  const { port, listeners } = await openListeners(server, config.host, config.port).catch(throwStartProblem(config));
  return {
    port,
    serve: (application, upgrades) => {
      served = { application, upgrades };
    },
    drain: (seconds) => drain(server, seconds),
    close: () => closeServer(server, listeners),
  };
}

/** Returns the server options for WebSocket upgrades. Requests for other upgrades, such as HTTP/2, get an HTTP/1.1 response. */
export const upgradesOf = (upgrades: Upgrades | null): Pick<ServerOptions, 'shouldUpgradeCallback'> =>
  upgrades ? { shouldUpgradeCallback: (request) => upgrades.isSocketRequest(request) } : {};

/** Thrown if another program, or another instance of the service, uses the port. */
export class PortInUse extends StartProblem {}

/** Throws a StartProblem if the service cannot listen on the port. Called before anything else is started. */
export async function checkPort(address: ListenAddress): Promise<void> {
  const server = createServer();
  await openServer(server, address);
  await closeServer(server);
}

/** Address to listen on, and the configuration variable that sets it. */
interface ListenAddress {
  host: string;
  port: number;
  variable?: string;
  /** Whether this process opens the port itself, instead of sharing it with other workers. */
  exclusive?: boolean;
}

/** Starts listening. Returns the actual port. */
export async function openServer(server: Server, { host, port, variable, exclusive = false }: ListenAddress): Promise<number> {
  await once(server.listen({ port, host, exclusive }), 'listening').catch(throwStartProblem({ host, port, variable }));
  return portOf(server);
}

const throwStartProblem =
  ({ host, port, variable = 'PORT' }: ListenAddress) =>
  (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const Problem = code === 'EADDRINUSE' ? PortInUse : StartProblem;
    throw new Problem(problemText(code, host, port, variable));
  };

function problemText(code: string, host: string, port: number, variable: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use: stop the program that uses it, or set ${variable} to another port.`;
    case 'EACCES':
      return `Port ${port} is reserved by the system: set ${variable} to 1024 or more.`;
    default:
      return `HOST is ${host}, which is not an address of this machine (${code}): set it to one of its addresses, to 127.0.0.1, or to 0.0.0.0 for all addresses.`;
  }
}

async function drain(server: Server, seconds: number): Promise<void> {
  server.prependListener('request', (_, response) => void response.setHeader('connection', 'close'));
  await sleep(seconds * 1000);
}

/** Closes a server. Requests in progress are completed. Connections that remain after ten seconds are closed. */
export async function closeServer(server: Server, listeners: readonly Listener[] = []): Promise<void> {
  const closed = Promise.all([server, ...listeners].map((listener) => new Promise((done) => listener.close(done))));
  // Node closes only connections that are idle now. Busy connections become idle later, and would stay open for further requests.
  const idleTimer = setInterval(() => server.closeIdleConnections(), 20);
  const forceTimer = setTimeout(() => server.closeAllConnections(), 10_000);
  await closed;
  clearInterval(idleTimer);
  clearTimeout(forceTimer);
}

/** Requested length of the accept queue. The system may limit it. If the queue is full, clients try again only after a second or more. */
const backlog = 4_096;
const maxListeners = 16;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
/**
 * Whether several listeners can share a port (`SO_REUSEPORT`). This requires Linux and Node 23.1. Workers do not need it, because the
 * primary passes connections to them.
 */
const isShared = process.platform === 'linux' && !cluster.isWorker && (major > 23 || (major === 23 && minor > 0));

/**
 * Opens a server with additional listeners on the same port. Node accepts one connection per listener and iteration of the event
 * loop, so a busy process with a single listener accepts connections too slowly. Returns the port and the additional listeners, which
 * the caller must close.
 */
async function openListeners(server: Server, host: string, port: number): Promise<{ port: number; listeners: Listener[] }> {
  // First opens the port without sharing, because two instances of the service must not share it.
  if (isShared && port !== 0) {
    const probe = createListener();
    await once(probe.listen(port, host), 'listening');
    await new Promise((closed) => probe.close(closed));
  }
  await once(server.listen({ port, host, backlog, reusePort: isShared }), 'listening');
  const actualPort = portOf(server);
  const listeners: Listener[] = [];
  while (isShared && listeners.length < maxListeners - 1) {
    const listener = createListener({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
    await once(listener.listen({ port: actualPort, host, backlog, reusePort: true }), 'listening');
    listeners.push(listener);
  }
  return { port: actualPort, listeners };
}
