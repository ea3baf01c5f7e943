import type { Duplex } from 'node:stream';

/** Maximum time in milliseconds to keep reading from a connection after its last response. */
const lingerMs = 20_000;

/**
 * Sends the last response on a connection, and closes the connection after the client does. Until then, incoming data is read and
 * discarded. Closing a connection with unread data would reset it, and the client might lose the response (RFC 9112).
 */
export function sendAndClose(socket: Duplex, response: string, maxLingerMs = lingerMs): void {
  const close = () => socket.destroy();
  const timer = setTimeout(close, maxLingerMs).unref();
  socket
    .on('error', close)
    .once('close', () => clearTimeout(timer))
    .once('end', () => (socket.writableFinished ? close() : socket.once('finish', close)));
  socket.end(response);
  socket.resume();
}
