import { ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { nextRequestId, requestIdHeader } from '../gateway/request-id.js';

const refusals: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers: expected at most 16384 bytes'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'body: expected chunks without long extensions'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
};

const hasBegun = (response: unknown): boolean => response instanceof ServerResponse && response.headersSent;

/** How long a refused connection is read, in milliseconds. */
const lingering = 1_000;

/** What node tells of bytes that are no request. */
interface Unreadable extends NodeJS.ErrnoException {
  /** The last of the bytes that came. */
  readonly rawPacket?: Buffer;
}

/** Whether nothing but a head may be answered, as far as that can be told. */
const isHead = ({ rawPacket }: Unreadable): boolean => rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD ';

/** Answers what cannot be read as an HTTP request, in the form of every other error (decision 1), and hangs up. */
export function refuse(error: Unreadable, socket: Duplex): void {
  // Behind an answer that is on its way another one would garble it.
  if (!socket.writable || error.code === 'ECONNRESET' || hasBegun(Reflect.get(socket, '_httpMessage'))) {
    socket.destroy();
    return;
  }
  const [status, message] = refusals[error.code ?? ''] ?? [400, 'expected a request in HTTP/1.1'];
  const now = Math.floor(Date.now() / 1000);
  const requestId = nextRequestId();
  const body = JSON.stringify({ Code: status, Message: message, Timestamp: now, RequestId: requestId });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `${requestIdHeader}: ${requestId}`,
      'Connection: close',
      '',
      isHead(error) ? '' : body,
    ].join('\r\n'),
  );
  // A connection that is closed with unread data is reset, and the client may not get the response.
  socket.resume();
  setTimeout(() => socket.destroy(), lingering).unref();
}
