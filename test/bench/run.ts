import 'reflect-metadata';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { disposable, startEmbedded } from '../../src/database/embedded.js';
import { type Contender, prepareDatabase, startFloor, startService } from './contenders.js';
import { checkAnswers, median, rate } from './measure.js';
import { type Workload, workloads } from './workloads.js';

// The service against a hand-written floor, in turns on one PostgreSQL: only ratios within one run count.
// npm run bench -- [--rounds 3] [--seconds 1] [--only nested] [--profile directory]
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
});

async function compare(contenders: readonly Contender[], workload: Workload): Promise<number[]> {
  await checkAnswers(contenders, workload);
  const rates = contenders.map((): number[] => []);
  for (const contender of contenders) await rate(contender, workload, 1);
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [index, contender] of contenders.entries())
      rates[index]?.push(await rate(contender, workload, Number(options.seconds)));
  }
  return rates.map(median);
}

async function bench(directory: string): Promise<void> {
  const postgres = await startEmbedded(directory, { settings: { ...disposable, shared_buffers: '256MB' } });
  const contenders: Contender[] = [];
  try {
    const token = await prepareDatabase(postgres.url);
    contenders.push(await startFloor(postgres.url), await startService(postgres.url, token, options.profile));
    console.log('| workload | floor, requests/s | Courtside, requests/s | ratio |\n|---|--:|--:|--:|');
    for (const [name, workload] of Object.entries(workloads)) {
      if (options.only && options.only !== name) continue;
      const [floor = 0, service = 0] = await compare(contenders, workload);
      console.log(`| ${workload.title} | ${floor.toFixed(0)} | ${service.toFixed(0)} | ${(service / floor).toFixed(2)} |`);
    }
  } finally {
    for (const { stop } of contenders) await stop();
    await postgres.stop();
  }
}

const directory = await mkdtemp(join(tmpdir(), 'courtside-bench-'));
// Root's PostgreSQL runs as another user, who must pass through.
await chmod(directory, 0o711);
await bench(directory).finally(() => rm(directory, { recursive: true, force: true }));
