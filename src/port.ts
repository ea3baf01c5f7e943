import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** The port at which a server listens. */
export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the server listens at no port');
  return address.port;
}

/** Below the ports that systems give to connections of clients, one of which would be taken before its server is up. */
const [lowest, highest] = [10_240, 32_767];

/** A port that was free a moment ago, and that no connection takes. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest + 1);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) =>
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
    );
    if (!isFree) continue;
    await new Promise((closed) => server.close(closed));
    return port;
  }
}
