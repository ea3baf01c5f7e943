import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../../../src/port.js';

/** The line between a service and its database, which can go dead: what is sent arrives nowhere, and nobody is told. */
export interface Line {
  /** Connection string of the database by way of it. */
  url: string;
  goDead(): void;
  /** New connections get through again; what is left of those that were cut goes, as it does by and by of itself. */
  mend(): void;
  /** What connects from now on is led to another database, and those that were connected are cut off. */
  lead(databaseUrl: string): void;
  stop(): void;
}

/** A line to the database of a connection string. */
export async function startLine(databaseUrl: string): Promise<Line> {
  let to = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isDead = false;
  const keep = (socket: Socket) => sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  const server = createServer((near) => {
    keep(near);
    if (isDead) return;
    const far = connect(Number(to.port), to.hostname);
    keep(far);
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  // Past the socket of the server.
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(portOf(server));
  return {
    url: url.href,
    goDead: () => {
      isDead = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend: () => {
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
