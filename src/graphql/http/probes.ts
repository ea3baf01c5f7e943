import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import { describeCache } from '../../kernel/caches.js';

/**
 * Maximum duration of the database check, and time for which its result is cached, in milliseconds. The cache protects the database,
 * because probes need no token.
 */
const [timeoutMs, cacheMs] = [3_000, 500];

describeCache({ name: 'database status for `/readyz`', limit: 'one status', validity: '0.5 s' });

/** Health endpoints for orchestrators and load balancers. */
interface Probes {
  path: RegExp;
  handler: RequestHandler;
  /** Makes `/readyz` report from now on that the process is not ready. */
  drain(): void;
}

const sendProbe = (response: Response, reason: string | null): void =>
  void response
    .status(reason === null ? 200 : 503)
    .set('cache-control', 'no-store')
    .json(reason === null ? { status: 'up' } : { status: 'down', reason });

/** Creates the probes. `/livez` and `/health` report that the process is running. `/readyz` reports whether it accepts requests. */
export function createProbes(notReadyReason: () => Promise<string | null>): Probes {
  let isDraining = false;
  let cachedReason: Promise<string | null> | null = null;

  async function checkReadiness(): Promise<string | null> {
    const timeout = sleep(timeoutMs, 'the database does not respond in time', { ref: false });
    const reason = await Promise.race([notReadyReason(), timeout]);
    setTimeout(() => {
      cachedReason = null;
    }, cacheMs).unref();
    return reason;
  }

  return {
    path: /^\/(?:livez|readyz|health)\/?$/,
    async handler({ path }, response) {
      if (!path.startsWith('/readyz')) return sendProbe(response, null);
      if (!isDraining) cachedReason ??= checkReadiness();
      sendProbe(response, isDraining ? 'draining' : await cachedReason);
    },
    drain: () => {
      isDraining = true;
    },
  };
}
