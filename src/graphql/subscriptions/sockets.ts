import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Code, statuses } from '../../kernel/declare/errors.js';
import { limitRefusals } from '../../kernel/monitoring/counts.js';
import { type Unavailability, unavailableCounts } from '../../kernel/monitoring/unavailable.js';
import { networkOf } from '../../kernel/network.js';
import { headerReaderOf, joinDuplicateHeaders } from '../http/request-headers.js';
import { nextRequestId, requestIdHeader } from '../http/response-headers.js';
import { sendAndClose } from '../http/send-and-close.js';
import { subscriptionCounts } from './connections.js';
import { LiveSocket } from './socket.js';
import { type OpenedSocket, type SocketHost, socketOperations } from './socket-operations.js';

/** Maximum size of a message in bytes. A document has at most 100,000 characters, and subscriptions need only short variables. */
const maxMessageBytes = 2 ** 18;
/** Interval of pings in milliseconds. */
const probeIntervalMs = 12_000;
/** Timeout for closing sockets in milliseconds. */
const closeTimeoutMs = 250;

/** Handler of HTTP upgrade requests. */
export interface Upgrades {
  /** Whether a request opens a WebSocket of this endpoint. Other upgrade requests are served as plain HTTP. */
  isSocketRequest(request: IncomingMessage): boolean;
  upgrade(request: IncomingMessage, raw: Duplex, head: Buffer): void;
}

/** WebSockets of `/graphql`. */
export interface Sockets extends Upgrades {
  /** Closes all sockets, so that clients reconnect to another process. */
  stop(): void;
}

interface SocketLimits {
  readonly path: string;
  /** Maximum number of open sockets of the process. */
  readonly maxSockets: number;
  /** Maximum number of open sockets per network address. */
  readonly maxSocketsPerAddress: number;
}

/** Rejects an upgrade request with an error in the format of `/graphql` responses, and closes the connection. */
function refuse(
  raw: Duplex,
  code: Code,
  message: string,
  extraHeaders: Record<string, string> = {},
  status: number = statuses[code],
  requestId = nextRequestId(),
): void {
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    [requestIdHeader]: requestId,
    Connection: 'close',
    ...extraHeaders,
  };
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  sendAndClose(raw, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headerLines.join('')}\r\n${body}`);
}

/** Creates the WebSocket endpoint for graphql-transport-ws. */
export function createSocketEndpoint(
  host: SocketHost,
  { path, maxSockets, maxSocketsPerAddress }: SocketLimits,
  log: Logger,
): Sockets {
  const protocol = socketOperations(host);
  const handshakes = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    // If the function returns false, graphql-ws closes the socket with its own close code for unsupported subprotocols.
    handleProtocols: (protocols) => protocols.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) && GRAPHQL_TRANSPORT_WS_PROTOCOL,
  }).on('wsClientError', ({ message }, raw) => refuse(raw, 'BAD_INPUT', message));
  const liveSockets = new Set<LiveSocket>();
  const countByAddress = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;

  function openConnection(socket: WebSocket, raw: Duplex, request: IncomingMessage, address: string): void {
    const liveSocket = new LiveSocket(socket, raw);
    const openedSocket: OpenedSocket = {
      socket: liveSocket,
      request,
      header: headerReaderOf(request.headers),
      startingOperations: 0,
    };
    liveSockets.add(liveSocket);
    countByAddress.set(address, (countByAddress.get(address) ?? 0) + 1);
    subscriptionCounts.sockets += 1;
    timer ??= setInterval(() => {
      for (const openSocket of liveSockets) openSocket.probe();
    }, probeIntervalMs).unref();
    const handleClose = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => liveSocket.send(text),
        close: (code, reason) => liveSocket.close(code, reason),
        onMessage: (listener) => liveSocket.onMessage(listener),
      },
      { openSocket: openedSocket },
    );
    socket.once('close', (code, reason) => {
      liveSockets.delete(liveSocket);
      subscriptionCounts.sockets -= 1;
      const remainingCount = (countByAddress.get(address) ?? 1) - 1;
      if (remainingCount) countByAddress.set(address, remainingCount);
      else countByAddress.delete(address);
      Promise.resolve(handleClose(code, String(reason))).catch(() => undefined);
    });
  }

  function refuseUnavailable(raw: Duplex, unavailability: Unavailability, message: string): void {
    const requestId = nextRequestId();
    unavailableCounts.add(unavailability.reason);
    log.warn({ requestId, method: 'GET', route: path, status: statuses.UNAVAILABLE, ...unavailability }, 'request unavailable');
    refuse(raw, 'UNAVAILABLE', message, { 'Retry-After': '5' }, statuses.UNAVAILABLE, requestId);
  }

  function refuseAbove(limit: string, raw: Duplex): void {
    limitRefusals.add(limit);
    refuseUnavailable(raw, { reason: 'subscriptions', cause: limit }, 'too many sockets are open');
  }

  return {
    isSocketRequest: ({ method, url = '', headers }) =>
      method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && (url === path || url.startsWith(`${path}?`)),
    upgrade(request, raw, head) {
      joinDuplicateHeaders(request);
      const { headers } = request;
      // Before version 24.9, Node also emitted `upgrade` for other protocols.
      if (!this.isSocketRequest(request)) return refuse(raw, 'NOT_FOUND', `WebSocket requests are served at ${path} only`);
      if (headers['sec-websocket-version'] !== '13')
        return refuse(raw, 'BAD_INPUT', 'Sec-WebSocket-Version: expected 13', { 'Sec-WebSocket-Version': '13' }, 426);
      const address = networkOf(host.clientOf(request, headerReaderOf(headers)).address);
      if (isStopped) return refuseUnavailable(raw, { reason: 'stopping' }, 'the service is stopping');
      if (liveSockets.size >= maxSockets) return refuseAbove('STREAMS_AT_ONCE', raw);
      if ((countByAddress.get(address) ?? 0) >= maxSocketsPerAddress) return refuseAbove('STREAMS_PER_CALLER', raw);
      handshakes.handleUpgrade(request, raw, head, (socket) => openConnection(socket, raw, request, address));
    },
    stop() {
      isStopped = true;
      clearInterval(timer ?? undefined);
      // The sockets close without `complete` messages, so that clients subscribe again at another process.
      for (const liveSocket of liveSockets) liveSocket.close(1001, 'Going away');
      setTimeout(() => {
        for (const liveSocket of liveSockets) liveSocket.terminate();
      }, closeTimeoutMs).unref();
    },
  };
}
