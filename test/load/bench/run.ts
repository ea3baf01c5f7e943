import 'reflect-metadata';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { disposableSettings, startEmbedded } from '../../../src/database/embedded.js';
import { type Contender, cachedService, prepareDatabase, startHandwritten, startPeers, startService } from './contenders.js';
import { postmasterOf } from './cpu.js';
import { fairness } from './fairness.js';
import { generator } from './generator.js';
import { growth } from './growth.js';
import { measureLive } from './live.js';
import { checkAnswers, type Measurement, medians, runTurn } from './measure.js';
import { subscribe } from './subscribe.js';
import { type Workload, workloads } from './workloads.js';

// Compares the service with two handwritten servers and with other GraphQL servers, in turns on one PostgreSQL. Only ratios within
// one run are meaningful.
// npm run bench -- [--rounds 5] [--seconds 2] [--only nested] [--no-peers] [--profile directory]
// npm run bench -- --growth [--only search] [--data directory]: how long queries take with 10,000 and with 1,000,000 tournaments.
// npm run bench -- --fairness [--rounds 5] [--seconds 20]: how much a platform that sends too many requests delays the others.
// npm run bench -- --live [--only WebSocket]: how much memory subscribers use, and when they receive a change.
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string' },
    only: { type: 'string' },
    'no-peers': { type: 'boolean', default: false },
    profile: { type: 'string' },
    growth: { type: 'boolean', default: false },
    live: { type: 'boolean', default: false },
    fairness: { type: 'boolean', default: false },
    data: { type: 'string' },
  },
});

async function compare(contenders: readonly Contender[], postmaster: number, workload: Workload): Promise<Measurement[]> {
  await checkAnswers(contenders, workload);
  const seconds = Number(options.seconds ?? 2);
  const turns = contenders.map((): Measurement[] => []);
  for (const contender of contenders) await runTurn(contender, postmaster, workload, 2 * seconds);
  for (let round = 0; round < Number(options.rounds); round++)
    for (const [index, contender] of contenders.entries())
      turns[index]?.push(await runTurn(contender, postmaster, workload, seconds));
  return turns.map(medians);
}

/** Runs a statement every second. Returns a function that stops it. */
async function writeEverySecond(url: string, statement: string | undefined): Promise<() => Promise<void>> {
  if (statement === undefined) return async () => undefined;
  const client = new Client({ connectionString: url });
  await client.connect();
  const timer = setInterval(() => void client.query(statement), 1000);
  return async () => {
    clearInterval(timer);
    await client.end();
  };
}

const cell = (value: number, digits = 0) => (Number.isNaN(value) ? '–' : value.toFixed(digits));

function print(workload: Workload, contenders: readonly Contender[], figures: readonly Measurement[]): void {
  const baseline = figures[0]?.rate ?? Number.NaN;
  for (const [index, { rate, own, postgres, generator: share }] of figures.entries()) {
    const cells = [cell(rate), cell(rate / baseline, 2), cell(own), cell(postgres), cell(100 * share)];
    console.log(`| ${index ? '' : workload.title} | ${contenders[index]?.name} | ${cells.join(' | ')} |`);
  }
}

async function bench(directory: string): Promise<void> {
  if (options.only === 'subscribe') return subscribe(directory);
  const postgres = await startEmbedded(directory, { settings: { ...disposableSettings, shared_buffers: '256MB' } });
  const contenders: Contender[] = [];
  try {
    const token = await prepareDatabase(postgres.url);
    const postmaster = await postmasterOf(postgres.url);
    contenders.push(
      await startHandwritten('baseline', postgres.url),
      await startHandwritten('minimal', postgres.url),
      await startService(postgres.url, token, { profiles: options.profile }),
    );
    const selectedWorkloads = Object.entries(workloads).filter(([name]) => !options.only || options.only === name);
    if (!options['no-peers'] && selectedWorkloads.some(([, { peers }]) => peers))
      contenders.push(...(await startPeers(postgres.url)));
    if (selectedWorkloads.some(([, { isRepeated }]) => isRepeated))
      contenders.push(await startService(postgres.url, token, { cacheMegabytes: 32 }));
    console.log(`Load by ${generator}; CPU time per request in µs.\n`);
    console.log(
      '| workload | server | requests/s | relative to the baseline | CPU of the server | CPU of PostgreSQL | generator, % of a core |',
    );
    console.log('|---|---|--:|--:|--:|--:|--:|');
    for (const [, workload] of selectedWorkloads) {
      const isAble = (name: string) =>
        ['baseline', 'minimal', 'Courtside'].includes(name) ||
        workload.peers?.[name] ||
        (workload.isRepeated && name === cachedService);
      const able = contenders.filter(({ name }) => isAble(name));
      const endWrites = await writeEverySecond(postgres.url, workload.write);
      print(workload, able, await compare(able, postmaster, workload).finally(endWrites));
    }
  } finally {
    for (const { stop } of contenders) await stop();
    await postgres.stop();
  }
}

if (options.growth && options.data) await growth(options.data, options.only);
else {
  const directory = await mkdtemp(join(tmpdir(), 'courtside-bench-'));
  // When run as root, PostgreSQL runs as another user, who must be able to enter the directory.
  await chmod(directory, 0o711);
  await run(directory).finally(() => rm(directory, { recursive: true, force: true }));
}

/** Runs the selected measurement with data in a directory. */
function run(directory: string): Promise<void> {
  const { growth: measuresGrowth, live: measuresLive, fairness: measuresFairness, only, seconds } = options;
  if (measuresGrowth) return growth(directory, only);
  if (measuresLive) return measureLive(directory, only);
  return measuresFairness ? fairness(directory, Number(seconds ?? 20), Number(options.rounds)) : bench(directory);
}
