import 'reflect-metadata';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { models } from '../models/index.js';
import { settingOf } from '../models/setting.js';
import { type Service, startService, tokens } from './attacked.js';
import { campaign, type Finding, kindOf, type RequestKind } from './campaign.js';
import { graphqlFront } from './graphql-front.js';
import { legacyFront } from './legacy-front.js';
import { liveFront } from './live-front.js';
import { readPools } from './pools.js';
import { recheckRefused } from './refused.js';
import { scenarios } from './scenarios.js';
import type { RequestToSend } from './wire.js';

// Sends thousands of malformed and malicious requests to a separate service with the demo season. The seed determines all requests.
// npm run abuse -- [--seed n] [--requests 10000] [--operations 5000] [--subscriptions 2000] [--models 40]
//   [--case v1:123 | graphql:123 | live:123]
const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    requests: { type: 'string', default: '10000' },
    operations: { type: 'string', default: '5000' },
    subscriptions: { type: 'string', default: '2000' },
    models: { type: 'string', default: '40' },
    case: { type: 'string' },
  },
});
const seed = Number(options.seed);
const findings = new Map<string, Finding & { times: number }>();

/** Prints the first finding of each kind and counts the others. */
function report(finding: Finding): void {
  const kind = kindOf(finding.problem);
  const knownFinding = findings.get(kind);
  findings.set(kind, { ...(knownFinding ?? finding), times: (knownFinding?.times ?? 0) + 1 });
  if (knownFinding) return;
  console.log(`\n${finding.case}: ${finding.problem}`);
  if (/:\d+$/.test(finding.case)) console.log(`  npm run abuse -- --seed ${seed} --case ${finding.case}\n  ${finding.curl}`);
}

async function attack(
  service: Service,
  front: RequestKind<{ sent: RequestToSend }> & WatchedRequests,
  count: number,
): Promise<string> {
  const [only, number] = options.case?.split(':') ?? [];
  if (only && only !== front.name) return '';
  const numbers = number ? [Number(number)] : Array.from({ length: count }, (_, index) => index);
  const startedAt = performance.now();
  const { peak } = await campaign(service, front, seed, numbers, report);
  const took = (performance.now() - startedAt) / 1000;
  const checkedCount = await recheckRefused(service, front.refused(), front.isRefused, report);
  return `${numbers.length} ${front.figures()} in ${Math.round(took)} s, ${checkedCount} refused requests checked for changes, at most ${Math.round(peak)} MB`;
}

/**
 * Runs concurrent commands against two processes and compares the results with simple models. `--models` sets the number of runs of each
 * model.
 */
async function holdModels(service: Service, runs: number): Promise<string> {
  await service.restore();
  const origins = [service.origin, await service.startSecondProcess()];
  const rows = async (statement: string, values: unknown[] = []) => (await service.database.query(statement, values)).rows;
  const setting = settingOf(origins, tokens.platform, rows);
  let sentCount = 0;
  for (const [name, hold] of Object.entries(models)) {
    try {
      sentCount += await hold(setting, { seed, runs, batches: 14 });
    } catch (error) {
      report({
        case: name,
        problem: `does not match the model: ${error instanceof Error ? `${error.message}\n${error.cause}` : error}`,
        curl: '',
      });
    }
  }
  return `${sentCount} concurrent commands at two processes, compared with the models`;
}

/** Runs the scenarios. `--case` selects one scenario by name. */
async function runScenarios(service: Service): Promise<string> {
  const chosen = scenarios.filter(({ name }) => !options.case || options.case === name);
  for (const scenario of chosen) {
    await service.restore();
    for (const problem of await scenario.run(service, seed)) report({ case: scenario.name, problem, curl: '' });
  }
  return chosen.length > 0 ? `${chosen.length} scenarios` : '';
}

type WatchedRequests = Pick<ReturnType<typeof legacyFront>, 'refused' | 'isRefused' | 'figures'>;

const directory = await mkdtemp(join(tmpdir(), 'courtside-abuse-'));
// When run as root, PostgreSQL runs as another user, who must be able to enter the directory.
await chmod(directory, 0o711);
try {
  console.log(`Seed ${seed}. Starting the service with the demo season …`);
  const service = await startService(directory);
  try {
    const pools = await readPools(service.database);
    const figures = [
      await attack(service, legacyFront(pools), Number(options.requests)),
      await attack(service, graphqlFront(pools), Number(options.operations)),
      await attack(service, liveFront(pools), Number(options.subscriptions)),
    ];
    figures.push(await runScenarios(service));
    if (options.models !== '0' && !options.case) figures.push(await holdModels(service, Number(options.models)));
    const lines = [...findings.values()].map(
      ({ times, case: name, problem }) => `\n  ${times} × ${problem.slice(0, 160)} (${name})`,
    );
    console.log(`\nSeed ${seed}: ${figures.filter(Boolean).join('; ')}; ${findings.size} kinds of findings${lines.join('')}`);
    process.exitCode = findings.size ? 1 : 0;
  } finally {
    await service.stop();
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
