import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Server as Listener } from 'node:net';
import { portOf } from '../../process/port.js';

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
export async function openListeners(
  server: Server,
  host: string,
  port: number,
): Promise<{ port: number; listeners: Listener[] }> {
  // Opens the port without sharing first, because two services must not share it.
  if (isShared && port !== 0) {
    const probe = createServer();
    await once(probe.listen(port, host), 'listening');
    await new Promise((closed) => probe.close(closed));
  }
  await once(server.listen({ port, host, backlog, reusePort: isShared }), 'listening');
  const actualPort = portOf(server);
  const listeners: Listener[] = [];
  while (isShared && listeners.length < maxListeners - 1) {
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
    await once(listener.listen({ port: actualPort, host, backlog, reusePort: true }), 'listening');
    listeners.push(listener);
  }
  return { port: actualPort, listeners };
}
