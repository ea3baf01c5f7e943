import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Returns the port of a listening server. */
export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the server is not listening on a port');
  return address.port;
}

/** Range of ports below the ephemeral ports. A client connection could occupy an ephemeral port before the server starts. */
const [lowest, highest] = [10_240, 32_767];

/** Finds a free port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest + 1);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) =>
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
    );
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
