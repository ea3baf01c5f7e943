import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { OpenResources } from '../../../src/server/lifecycle/open-resources.js';
import { exhaustedPool } from './faults/exhausted-pool.js';
import { fullDisk } from './faults/full-disk.js';
import { jumpingClock } from './faults/jumping-clock.js';
import { killedDatabase } from './faults/killed-database.js';
import { killedProcess } from './faults/killed-process.js';
import { laggingReplica } from './faults/lagging-replica.js';
import { liveKilledProcess } from './faults/live-killed-process.js';
import { liveLaggingReplica } from './faults/live-lagging-replica.js';
import { liveLostNotices } from './faults/live-lost-notices.js';
import { liveManyWriters } from './faults/live-many-writers.js';
import { liveRestartedDatabase } from './faults/live-restarted-database.js';
import { lostNames } from './faults/lost-names.js';
import { silentSmtp } from './faults/silent-smtp.js';
import { stoppedDatabase } from './faults/stopped-database.js';
import { stoppedProcess } from './faults/stopped-process.js';
import { type Fault, Scene } from './scene.js';

// Injects faults and checks that the guarantees of docs/reliability.md hold. Uses separate services and databases.
// npm run chaos -- [--only 'part of a name']
const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' } } });

const faults: readonly Fault[] = [
  killedProcess,
  killedDatabase,
  stoppedDatabase,
  stoppedProcess,
  exhaustedPool,
  fullDisk,
  jumpingClock,
  laggingReplica,
  lostNames,
  silentSmtp,
  liveManyWriters,
  liveKilledProcess,
  liveRestartedDatabase,
  liveLaggingReplica,
  liveLostNotices,
];

const tally = { passed: 0, failed: 0, skipped: 0 };

async function runFault(fault: Fault): Promise<void> {
  const missing = await fault.missingPrerequisite?.();
  if (missing) {
    tally.skipped++;
    return console.log(`skipped  ${fault.name}: ${missing}`);
  }
  const resources = new OpenResources();
  const broken: string[] = [];
  let figures = '';
  try {
    figures = await fault.inject(async (start) => {
      const scene = await Scene.open(resources, start);
      resources.add(async () => void broken.push(...scene.broken));
      return scene;
    });
  } catch (error) {
    broken.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  await resources.close();
  console.log(`${broken.length ? 'FAILED' : 'passed'}  ${fault.name}: ${figures}`);
  for (const violation of new Set(broken)) console.log(`  ${violation}`);
  tally[broken.length ? 'failed' : 'passed']++;
}

const startedAt = performance.now();
for (const fault of faults) if (fault.name.includes(options.only)) await runFault(fault);
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(`\n${tally.passed} faults passed, ${tally.failed} failed, ${tally.skipped} skipped, in ${seconds} s`);
// A run that tested no faults must not pass.
process.exit(tally.failed || !tally.passed ? 1 : 0);
