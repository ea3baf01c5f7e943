import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Code, statuses } from '../../kernel/declare/errors.js';
import { networkOf } from '../../kernel/network.js';
import { joinDoubled } from '../doubled-headers.js';
import { hangUp } from '../hang-up.js';
import { headersOf } from '../headers.js';
import { nextRequestId, requestIdHeader } from '../request-id.js';
import { liveCounts } from './counts.js';
import { LiveSocket } from './socket.js';
import { type OpenedSocket, type SocketHost, socketOperations } from './socket-operations.js';

/** Most bytes of a message: a document has at most 100,000 characters, and no subscription needs long variables. */
export const maxMessageBytes = 2 ** 18;
/** How often each socket is asked for a sign of life, and how long one may take to close, in milliseconds. */
const probing = 12_000;
const farewell = 250;

/** What the server of HTTP asks about requests that would be something else. */
export interface Upgrades {
  /** Whether a request is for a socket; all others are answered as if they had not asked for another protocol. */
  takes(request: IncomingMessage): boolean;
  upgrade(request: IncomingMessage, raw: Duplex, head: Buffer): void;
}

/** The sockets of `/graphql`. */
export interface Sockets extends Upgrades {
  /** Has all clients go elsewhere. */
  stop(): void;
}

interface SocketBounds {
  readonly path: string;
  readonly most: number;
  /** Of one address. */
  readonly mostOfOne: number;
}

/** Refuses what asked for a socket in the form of every other error of `/graphql`, and hangs up. */
function refuse(
  raw: Duplex,
  code: Code,
  message: string,
  more: Record<string, string> = {},
  status: number = statuses[code],
): void {
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    [requestIdHeader]: nextRequestId(),
    Connection: 'close',
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  hangUp(raw, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** Opens sockets that speak graphql-transport-ws. */
export function openSockets(host: SocketHost, { path, most, mostOfOne }: SocketBounds): Sockets {
  const protocol = socketOperations(host);
  const handshakes = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    // One without a protocol of ours is told so by a code of its own.
    handleProtocols: (offered) => offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) && GRAPHQL_TRANSPORT_WS_PROTOCOL,
  }).on('wsClientError', ({ message }, raw) => refuse(raw, 'BAD_INPUT', message));
  const open = new Set<LiveSocket>();
  const ofAddress = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;

  function serve(socket: WebSocket, raw: Duplex, request: IncomingMessage, address: string): void {
    const live = new LiveSocket(socket, raw);
    const opened: OpenedSocket = { socket: live, request, header: headersOf(request.headers), beginning: 0 };
    open.add(live);
    ofAddress.set(address, (ofAddress.get(address) ?? 0) + 1);
    liveCounts.sockets += 1;
    timer ??= setInterval(() => {
      for (const each of open) each.probe();
    }, probing).unref();
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => live.send(text),
        close: (code, reason) => live.close(code, reason),
        onMessage: (hear) => live.hear(hear),
      },
      { opened },
    );
    socket.once('close', (code, reason) => {
      open.delete(live);
      liveCounts.sockets -= 1;
      const others = (ofAddress.get(address) ?? 1) - 1;
      if (others) ofAddress.set(address, others);
      else ofAddress.delete(address);
      Promise.resolve(closed(code, String(reason))).catch(() => undefined);
    });
  }

  return {
    takes: ({ method, url = '', headers }) =>
      method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && (url === path || url.startsWith(`${path}?`)),
    upgrade(request, raw, head) {
      joinDoubled(request);
      const { headers } = request;
      // Node before 24.9 hands on what asks for any other protocol, too.
      if (!this.takes(request)) return refuse(raw, 'NOT_FOUND', `there are sockets at ${path} only`);
      if (headers['sec-websocket-version'] !== '13')
        return refuse(raw, 'BAD_INPUT', 'Sec-WebSocket-Version: expected 13', { 'Sec-WebSocket-Version': '13' }, 426);
      const address = networkOf(host.clientOf(request, headersOf(headers)).address);
      const isFull = open.size >= most || (ofAddress.get(address) ?? 0) >= mostOfOne;
      if (isFull || isStopped)
        return refuse(raw, 'UNAVAILABLE', isStopped ? 'the service is being stopped' : 'too many sockets are open', {
          'Retry-After': '5',
        });
      handshakes.handleUpgrade(request, raw, head, (socket) => serve(socket, raw, request, address));
    },
    stop() {
      isStopped = true;
      clearInterval(timer ?? undefined);
      // Its clients subscribe anew elsewhere: they would not if each subscription were told to be complete.
      for (const each of open) each.close(1001, 'Going away');
      setTimeout(() => {
        for (const each of open) each.cut();
      }, farewell).unref();
    },
  };
}
