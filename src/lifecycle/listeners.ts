import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Server as Listener } from 'node:net';
import { portOf } from '../port.js';

/** Length of the accept queue (backlog), if the system permits it. Further connection attempts are retried by clients after seconds. */
const backlog = 4_096;
const most = 16;

/** Whether several listeners can share a port (`SO_REUSEPORT`): Linux with Node 23.1 or newer, and not in workers, which get connections from the primary. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isShared = process.platform === 'linux' && !cluster.isWorker && (major > 23 || (major === 23 && minor > 0));

/**
 * Opens a server, and further listeners at the same port: through each of them Node takes one connection before it goes on with what
 * else there is to do. Through one alone, a process that is busy would take new ones for seconds as slowly as it answers, and could not even
 * refuse them. Gives the port, and the listeners, which are to be closed.
 */
export async function openListeners(
  server: Server,
  host: string,
  port: number,
): Promise<{ port: number; listeners: Listener[] }> {
  // Alone first: two services must not share a port.
  if (isShared && port !== 0) {
    const alone = createServer();
    await once(alone.listen(port, host), 'listening');
    await new Promise((closed) => alone.close(closed));
  }
  await once(server.listen({ port, host, backlog, reusePort: isShared }), 'listening');
  const taken = portOf(server);
  const listeners: Listener[] = [];
  while (isShared && listeners.length < most - 1) {
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
    await once(listener.listen({ port: taken, host, backlog, reusePort: true }), 'listening');
    listeners.push(listener);
  }
  return { port: taken, listeners };
}
