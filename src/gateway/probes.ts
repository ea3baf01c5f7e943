import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import { remember } from '../kernel/bounded.js';

/** Most that a probe waits for the database, and how long its answer holds: anybody may ask. */
const [patience, freshness] = [3_000, 500];

remember({ what: 'whether the database can be used, for `/readyz`', most: 'one answer', until: '0.5 s' });

/** Where orchestrators and balancers ask how the process is. */
export interface Probes {
  path: RegExp;
  answer: RequestHandler;
  /** From now on it is not ready, whatever the database says. */
  drain(): void;
}

const tell = (response: Response, reason: string | null): void =>
  void response
    .status(reason === null ? 200 : 503)
    .set('cache-control', 'no-store')
    .json(reason === null ? { status: 'up' } : { status: 'down', reason });

/** `/livez`: the process answers. `/readyz`: it should be sent requests; if not, the reason. `/health` is what `/livez` is, for those who know it. */
export function createProbes(notReady: () => Promise<string | null>): Probes {
  let isDraining = false;
  let known: Promise<string | null> | null = null;

  async function ask(): Promise<string | null> {
    const late = sleep(patience, 'the database does not answer in time', { ref: false });
    const reason = await Promise.race([notReady(), late]);
    setTimeout(() => {
      known = null;
    }, freshness).unref();
    return reason;
  }

  return {
    path: /^\/(?:livez|readyz|health)\/?$/,
    async answer({ path }, response) {
      if (!path.startsWith('/readyz')) return tell(response, null);
      if (!isDraining) known ??= ask();
      tell(response, isDraining ? 'draining' : await known);
    },
    drain: () => {
      isDraining = true;
    },
  };
}
