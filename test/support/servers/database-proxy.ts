import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../../../src/process/port.js';

/**
 * A TCP proxy between a service and its database. It can simulate a network failure, in which it drops all data without closing the
 * connections.
 */
export interface DatabaseProxy {
  /** Connection string for the database through the proxy. */
  url: string;
  disconnect(): void;
  /** Ends the failure: closes the interrupted connections and forwards new connections. */
  reconnect(): void;
  /** Closes all connections and forwards new connections to another database. */
  lead(databaseUrl: string): void;
  stop(): void;
}

/** Starts a proxy for the database with the given connection string. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let to = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isDead = false;
  const trackSocket = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    trackSocket(near);
    if (isDead) return;
    const far = connect(Number(to.port), to.hostname);
    // If the connection to the database fails, the proxy also closes the connection to the service.
    trackSocket(far).on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  // Without `host`, clients connect over TCP instead of the Unix socket of the server.
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(portOf(server));
  return {
    url: url.href,
    disconnect: () => {
      isDead = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    reconnect: () => {
      isDead = false;
      for (const socket of sockets) socket.destroy();
    },
    lead: (other) => {
      to = new URL(other);
      for (const socket of sockets) socket.destroy();
    },
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
