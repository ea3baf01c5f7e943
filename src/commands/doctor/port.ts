import { z } from 'zod';
import type { Config } from '../../config.js';
import { checkPort, PortInUse } from '../../lifecycle/listen.js';
import { StartProblem } from '../../start-problem.js';
import { type Finding, right, wrong, wrongAsTold } from './finding.js';

const told = z.object({ status: z.enum(['up', 'down']), reason: z.string().optional() });

/** Returns the answer of a health path, or null if another program listens on the port. */
async function ask(origin: string, path: string): Promise<z.infer<typeof told> | null> {
  try {
    const response = await fetch(origin + path, { signal: AbortSignal.timeout(4_000), redirect: 'manual' });
    return told.safeParse(await response.json()).data ?? null;
  } catch {
    return null;
  }
}

/** Checks that the port is free, or that this service listens on it. */
export async function portFindings({ host, port }: Pick<Config, 'host' | 'port'>): Promise<Finding[]> {
  if (port === 0) return [right('PORT is 0: the service uses a free port')];
  try {
    await checkPort({ host, port });
    return [right(`${port} is free: nothing is running`)];
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    if (!(error instanceof PortInUse)) return [wrongAsTold(error.message)];
    const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
    const origin = `http://${name}:${port}`;
    if (!(await ask(origin, '/livez')))
      return [wrong(`${port} is in use by another program`, 'stop the program, or set PORT to another port.')];
    const ready = await ask(origin, '/readyz');
    return ready?.status === 'up'
      ? [right(`${port} is served by Courtside, which is ready`)]
      : [wrong(`${port} is served by Courtside, which is not ready (${ready?.reason ?? 'it does not say why'})`, 'see its log.')];
  }
}
