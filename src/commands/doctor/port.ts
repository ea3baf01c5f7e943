import { z } from 'zod';
import type { Config } from '../../config.js';
import { checkPort } from '../../lifecycle/listen.js';
import { StartProblem } from '../../start-problem.js';
import { type Finding, right, wrong, wrongAsTold } from './finding.js';

const told = z.object({ status: z.enum(['up', 'down']), reason: z.string().optional() });

/** What a health path answers; null where what listens there is none of ours. */
async function ask(origin: string, path: string): Promise<z.infer<typeof told> | null> {
  try {
    const response = await fetch(origin + path, { signal: AbortSignal.timeout(4_000), redirect: 'manual' });
    return told.safeParse(await response.json()).data ?? null;
  } catch {
    return null;
  }
}

/** Whether the port is free, or this service has it. */
export async function portFindings({ host, port }: Pick<Config, 'host' | 'port'>): Promise<Finding[]> {
  if (port === 0) return [right('PORT is 0: a free one is taken')];
  try {
    await checkPort({ host, port });
    return [right(`${port} is free: nothing is running`)];
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    if (!error.message.includes('is taken')) return [wrongAsTold(error.message)];
    const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
    const origin = `http://${name}:${port}`;
    if (!(await ask(origin, '/livez')))
      return [wrong(`${port} is taken by another program`, 'stop that, or set PORT to another one.')];
    const ready = await ask(origin, '/readyz');
    return ready?.status === 'up'
      ? [right(`${port} is served by Courtside, which is ready`)]
      : [wrong(`${port} is served by Courtside, which is not ready (${ready?.reason ?? 'it does not say why'})`, 'see its log.')];
  }
}
