import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { nextRequestId, requestIdHeader } from '../../graphql/http/response-headers.js';
import { sendAndClose } from '../../graphql/http/send-and-close.js';

const timeoutCode = 'ERR_HTTP_REQUEST_TIMEOUT';
/** Time to keep reading from a connection after its request timed out, in milliseconds. */
const lingerAfterTimeoutMs = 2_000;

const refusals: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers: expected at most 16384 bytes'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'body: expected chunks without long extensions'],
  [timeoutCode]: [408, 'the request did not arrive in time'],
};

/** Error of the HTTP parser. */
interface ParserError extends NodeJS.ErrnoException {
  /** Bytes that the parser received last. */
  readonly rawPacket?: Buffer;
}

/** Whether the request appears to use HEAD. A response to HEAD must not have a body. */
const isHead = ({ rawPacket }: ParserError): boolean => rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD ';

/** Connections on which a request was refused. The refusal is their last response. */
const refusedConnections = new WeakSet<Duplex>();

/** Whether a connection was refused. Further requests on it get no response. */
export const isRefused = (socket: Duplex): boolean => refusedConnections.has(socket);

/** Sends a `/v1` error response and closes the connection. */
function sendRefusal(socket: Duplex, code: string, hasNoBody: boolean): void {
  refusedConnections.add(socket);
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
    hasNoBody ? '' : body,
  ].join('\r\n');
  sendAndClose(socket, response, code === timeoutCode ? lingerAfterTimeoutMs : undefined);
}

/**
 * Whether the unreadable request already has a response. Clients would mistake a second response for the response to their next request.
 */
function hasResponse(socket: Duplex): boolean {
  const parser: unknown = Reflect.get(socket, 'parser');
  const request: unknown = parser instanceof Object ? Reflect.get(parser, 'incoming') : null;
  return !Reflect.get(socket, '_httpMessage') && request instanceof IncomingMessage && !request.complete;
}

/** Refuses a request that the parser cannot read, after the responses to earlier requests on the connection are sent. */
export function refuseUnreadableRequest(error: ParserError, socket: Duplex): void {
  if (error.code === 'ECONNRESET') socket.destroy();
  // The parser also reports errors for the rest of a refused request.
  if (refusedConnections.has(socket)) return;
  if (hasResponse(socket)) {
    refusedConnections.add(socket);
    sendAndClose(socket, '', lingerAfterTimeoutMs);
    return;
  }
  const current: unknown = Reflect.get(socket, '_httpMessage');
  const response = current instanceof ServerResponse ? current : null;
  // An error response would corrupt a response that has started.
  if (!socket.writable || (response?.headersSent && !response.writableEnded)) socket.destroy();
  else if (response?.req.complete) response.once('finish', () => refuseUnreadableRequest(error, socket));
  else sendRefusal(socket, error.code ?? '', isHead(error));
}

/** Refuses a request after the responses to earlier requests are sent, and ignores later requests on the connection. */
export function refuseRequest(request: IncomingMessage, response: ServerResponse): void {
  const { socket, method } = request;
  refusedConnections.add(socket);
  request.resume();
  const send = () => sendRefusal(socket, '', method === 'HEAD');
  // A response gets its socket after all earlier responses are sent.
  if (response.socket) send();
  else response.once('socket', send);
}

/** Refuses a request for another protocol, for which Node creates no response object. */
export const refuseUpgrade = ({ method }: IncomingMessage, socket: Duplex): void => sendRefusal(socket, '', method === 'HEAD');
