import { z } from 'zod';
import type { Config } from '../../config/index.js';
import { StartProblem } from '../../process/start-problem.js';
import { checkPort, PortInUse } from '../../server/lifecycle/listen.js';
import { type Finding, failedFinding, findingFromMessage, passedFinding } from './finding.js';

const health = z.object({ status: z.enum(['up', 'down']), reason: z.string().optional() });

/** Returns the response of a health endpoint, or null if another program listens on the port. */
async function fetchHealth(origin: string, path: string): Promise<z.infer<typeof health> | null> {
  try {
    const response = await fetch(origin + path, { signal: AbortSignal.timeout(4_000), redirect: 'manual' });
    return health.safeParse(await response.json()).data ?? null;
  } catch {
    return null;
  }
}

/** Checks that the port is free, or that Courtside is running on it and is ready. */
export async function portFindings({ host, port }: Pick<Config, 'host' | 'port'>): Promise<Finding[]> {
  if (port === 0) return [passedFinding('PORT is 0: the service uses a free port')];
  try {
    await checkPort({ host, port });
    return [passedFinding(`${port} is free: the service is not running`)];
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    if (!(error instanceof PortInUse)) return [findingFromMessage(error.message)];
    const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
    const origin = `http://${name}:${port}`;
    if (!(await fetchHealth(origin, '/livez')))
      return [failedFinding(`${port} is in use by another program`, 'stop the program, or set PORT to another port.')];
    const ready = await fetchHealth(origin, '/readyz');
    return ready?.status === 'up'
      ? [passedFinding(`Courtside is running on ${port} and is ready`)]
      : [
          failedFinding(
            `Courtside is running on ${port} but is not ready (${ready?.reason ?? 'unknown reason'})`,
            'check the log of the service.',
          ),
        ];
  }
}
