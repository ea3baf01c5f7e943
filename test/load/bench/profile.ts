import 'reflect-metadata';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { disposableSettings, startEmbedded } from '../../../src/database/embedded.js';
import { type Contender, prepareDatabase, startService } from './contenders.js';
import { postmasterOf } from './cpu.js';
import { type Measurement, runTurn } from './measure.js';
import { stageHead, stageRow } from './stage-table.js';
import { type Stage, stages, timeByStage } from './stages.js';
import { type Workload, workloads } from './workloads.js';

// Prints the CPU time of each stage of a request: npm run profile -- [--only nested] [--seconds 5]
const { values: options } = parseArgs({ options: { only: { type: 'string' }, seconds: { type: 'string', default: '5' } } });
const seconds = Number(options.seconds);

/** Measures a service after a warm-up. `from` is the start of the measurement, in µs after `startedAt`. */
async function measured(service: Contender, postmaster: number, workload: Workload, startedAt: number) {
  await runTurn(service, postmaster, workload, 2 * seconds);
  const from = (Date.now() - startedAt) * 1000;
  return { from, ...(await runTurn(service, postmaster, workload, seconds)) };
}

/** Profiles a service. Returns each stage's share of the CPU time. */
async function sharesOf(url: string, token: string, postmaster: number, workload: Workload): Promise<Record<Stage, number>> {
  const directory = await mkdtemp(join(tmpdir(), 'courtside-profile-'));
  try {
    const startedAt = Date.now();
    const service = await startService(url, token, { profiles: directory });
    const { from } = await measured(service, postmaster, workload, startedAt).finally(service.stop);
    const [file = ''] = await readdir(directory);
    const times = timeByStage(JSON.parse(await readFile(join(directory, file), 'utf8')), from);
    const all = stages.reduce((sum, stage) => sum + times[stage], 0);
    return Object.fromEntries(stages.map((stage) => [stage, times[stage] / all])) as Record<Stage, number>;
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function figuresOf(url: string, token: string, postmaster: number, workload: Workload): Promise<Measurement> {
  const service = await startService(url, token);
  return measured(service, postmaster, workload, Date.now()).finally(service.stop);
}

async function profile(directory: string): Promise<void> {
  const postgres = await startEmbedded(directory, { settings: { ...disposableSettings, shared_buffers: '256MB' } });
  try {
    const token = await prepareDatabase(postgres.url);
    const postmaster = await postmasterOf(postgres.url);
    console.log(
      'CPU time per request in µs: for each stage of the service, in total, and in PostgreSQL. The last column is the share of the usage counters.\n',
    );
    console.log(stageHead());
    for (const [name, workload] of Object.entries(workloads)) {
      if (options.only && options.only !== name) continue;
      const { own, postgres: database } = await figuresOf(postgres.url, token, postmaster, workload);
      const shares = await sharesOf(postgres.url, token, postmaster, workload);
      console.log(stageRow({ title: workload.title, shares, own, database }));
    }
  } finally {
    await postgres.stop();
  }
}

const directory = await mkdtemp(join(tmpdir(), 'courtside-profile-'));
// When run as root, PostgreSQL runs as another user, who must be able to enter the directory.
await chmod(directory, 0o711);
await profile(directory).finally(() => rm(directory, { recursive: true, force: true }));
