import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { nextRequestId, requestIdHeader } from '../../graphql/http/request-id.js';
import { sendAndClose } from '../../graphql/http/send-and-close.js';

const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT';
/** How long a connection is read after its request has taken too long to arrive, in milliseconds. */
const lingeringAfterTimeout = 2_000;

const refusals: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers: expected at most 16384 bytes'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'body: expected chunks without long extensions'],
  [timedOut]: [408, 'the request did not arrive in time'],
};

/** An error of bytes that are not a request. */
interface Unreadable extends NodeJS.ErrnoException {
  /** The last of the bytes that arrived. */
  readonly rawPacket?: Buffer;
}

/** Whether the response must not have a body, as far as that can be known. */
const isHead = ({ rawPacket }: Unreadable): boolean => rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD ';

/** Connections that get a refusal as their last response. */
const refused = new WeakSet<Duplex>();

/** Whether a connection was refused: further requests on it are not answered. */
export const isRefused = (socket: Duplex): boolean => refused.has(socket);

/** Sends an error in the format of `/v1` (decision 1) and closes the connection. */
function sendRefusal(socket: Duplex, code: string, isWithoutBody: boolean): void {
  refused.add(socket);
  const [status, message] = refusals[code] ?? [400, 'expected a request in HTTP/1.1'];
  const now = Math.floor(Date.now() / 1000);
  const requestId = nextRequestId();
  const body = JSON.stringify({ Code: status, Message: message, Timestamp: now, RequestId: requestId });
  const response = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${requestIdHeader}: ${requestId}`,
    'Connection: close',
    '',
    isWithoutBody ? '' : body,
  ].join('\r\n');
  sendAndClose(socket, response, code === timedOut ? lingeringAfterTimeout : undefined);
}

/** Whether the bytes belong to a request that already has a response. Clients would read a second response as the response to the next request. */
function isAnswered(socket: Duplex): boolean {
  const parser: unknown = Reflect.get(socket, 'parser');
  const request: unknown = parser instanceof Object ? Reflect.get(parser, 'incoming') : null;
  return !Reflect.get(socket, '_httpMessage') && request instanceof IncomingMessage && !request.complete;
}

/** Refuses bytes that cannot be read as an HTTP request, after the responses to the requests before them. */
export function refuse(error: Unreadable, socket: Duplex): void {
  if (error.code === 'ECONNRESET') socket.destroy();
  // The rest of a refused request cannot be read either.
  if (refused.has(socket)) return;
  if (isAnswered(socket)) {
    refused.add(socket);
    sendAndClose(socket, '', lingeringAfterTimeout);
    return;
  }
  const current: unknown = Reflect.get(socket, '_httpMessage');
  const response = current instanceof ServerResponse ? current : null;
  // Once a response has started, an error response would corrupt it.
  if (!socket.writable || (response?.headersSent && !response.writableEnded)) socket.destroy();
  else if (response?.req.complete) response.once('finish', () => refuse(error, socket));
  else sendRefusal(socket, error.code ?? '', isHead(error));
}

/** Refuses a request after the responses to the requests before it, and reads none after it. */
export function refuseRequest(request: IncomingMessage, response: ServerResponse): void {
  const { socket, method } = request;
  refused.add(socket);
  request.resume();
  const send = () => sendRefusal(socket, '', method === 'HEAD');
  // A response gets its socket when it is its turn.
  if (response.socket) send();
  else response.once('socket', send);
}

/** Refuses a request for another protocol, whose connection has no response. */
export const refuseUpgrade = ({ method }: IncomingMessage, socket: Duplex): void => sendRefusal(socket, '', method === 'HEAD');
