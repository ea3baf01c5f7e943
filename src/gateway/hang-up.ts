import type { Duplex } from 'node:stream';

/** How long a connection is read after its last response, in milliseconds. */
const lingering = 20_000;

/**
 * Sends the last bytes of a connection, and closes it when the client does. Until then it reads what the client sends: a connection that is
 * closed with unread data is reset, and the client may not get the response (RFC 9112).
 */
export function hangUp(socket: Duplex, response: string, longest = lingering): void {
  const close = () => socket.destroy();
  const timer = setTimeout(close, longest).unref();
  socket
    .on('error', close)
    .once('close', () => clearTimeout(timer))
    .once('end', () => (socket.writableFinished ? close() : socket.once('finish', close)));
  socket.end(response);
  socket.resume();
}
