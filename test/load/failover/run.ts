import 'reflect-metadata';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../../../src/process/port.js';
import { OpenResources } from '../../../src/server/lifecycle/open-resources.js';
import { programPath } from '../../support/prerequisites.js';
import { createWitness } from '../chaos/live/account.js';
import { follow } from '../chaos/live/follower.js';
import { createWebhookReceiver } from '../chaos/live/hook.js';
import { token } from '../chaos/workload.js';
import { startProcess } from '../service-process.js';
import { Cluster, createDatabase, promotionOf, type ReplicationMode, waitFor } from './cluster.js';
import { findClusterPrograms, startProgram } from './program.js';
import { countLosses, type Kill, printKill } from './report.js';
import { startWriter } from './writer.js';

// Kills the primary of a Patroni cluster several times while clients write, and counts lost writes and events.
// npm run failover -- [--mode synchronous|asynchronous] [--kills 5] [--rate 200] [--route direct|haproxy] [--system directory]
const { values: options } = parseArgs({
  options: {
    mode: { type: 'string', default: 'synchronous' },
    kills: { type: 'string', default: '5' },
    rate: { type: 'string', default: '200' },
    route: { type: 'string', default: 'direct' },
    system: { type: 'string', default: join(tmpdir(), 'courtside-patroni') },
  },
});

function choiceOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new Error(`--${name} must be ${choices.join(' or ')}`);
  return choice;
}

function numberOf(name: string, value: string): number {
  if (!/^[1-9]\d{0,4}$/.test(value)) throw new Error(`--${name} must be a number from 1 to 99999`);
  return Number(value);
}

const mode: ReplicationMode = choiceOf('mode', options.mode, ['synchronous', 'asynchronous']);
const route = choiceOf('route', options.route, ['direct', 'haproxy']);
const [kills, rate] = [numberOf('kills', options.kills), numberOf('rate', options.rate)];

/** Time between the first write after a promotion and the restart of the killed server, and before each kill, in milliseconds. */
const pause = 5_000;
/** Maximum time until subscribers and webhooks have received all events, in seconds. */
const deliverySeconds = 300;

const resources = new OpenResources();
const problems: string[] = [];
const expectThat = (isFulfilled: boolean, otherwise: string) => {
  if (!isFulfilled) problems.push(otherwise);
};

async function startHaProxy(file: string, env: Record<string, string>, directory: string): Promise<number> {
  const haproxy = programPath('haproxy');
  if (!haproxy) throw new Error('needs haproxy');
  const port = await freePort();
  const program = startProgram(haproxy, {
    args: ['-db', '-f', join(process.cwd(), 'docs/deploy', file)],
    env: { ...env, LISTEN: `127.0.0.1:${port}` },
    log: join(directory, `${file}.log`),
  });
  resources.add(() => program.end('SIGKILL'));
  return port;
}

async function run(): Promise<void> {
  const programs = findClusterPrograms(options.system);
  const directory = await mkdtemp(join(tmpdir(), 'courtside-failover-'));
  resources.add(() => rm(directory, { recursive: true, force: true }));
  // PostgreSQL runs as another user, which needs access to the directory.
  await chmod(directory, 0o711);
  const cluster = await Cluster.start(directory, { programs, mode, resources });
  const first = await cluster.waitUntilComplete();
  await createDatabase(first);
  const [one, two] = cluster.nodes;
  const databasePort =
    route === 'haproxy' &&
    (await startHaProxy(
      'haproxy-postgresql.cfg',
      {
        POSTGRES_ONE: `127.0.0.1:${one.port}`,
        POSTGRES_TWO: `127.0.0.1:${two.port}`,
        PATRONI_ONE: String(one.apiPort),
        PATRONI_TWO: String(two.apiPort),
      },
      directory,
    ));
  const url = databasePort ? Object.assign(new URL(one.url('courtside', 'courtside')), { port: databasePort }).href : cluster.url;
  const services: Awaited<ReturnType<typeof startProcess>>[] = [];
  for (let index = 0; index < 2; index++) {
    const service = await startProcess({
      DATABASE_URL: url,
      BOOTSTRAP_PLATFORM_TOKEN: token,
      RATE_LIMITS: 'address=1000000/1m,account=1000000/1m',
      SUBGRAPHS: 'none',
      WEBHOOK_NETWORKS: '127.0.0.0/8',
      PORT: String(await freePort()),
    });
    services.push(service);
    resources.add(() => service.stop());
  }
  const [origin1 = '', origin2 = ''] = services.map(({ origin }) => origin);
  const servicePort = await startHaProxy(
    'haproxy.cfg',
    { COURTSIDE_ONE: new URL(origin1).host, COURTSIDE_TWO: new URL(origin2).host },
    directory,
  );
  const origin = `http://127.0.0.1:${servicePort}`;
  await waitFor('HAProxy forwards requests', async () => ((await fetch(`${origin}/readyz`)).ok ? true : null));

  await createWitness(first.url('courtside', 'courtside'));
  // There is one subscriber per process, and one subscriber behind HAProxy, which can reconnect to the other process.
  const followers = await Promise.all([origin1, origin2, origin].map((each) => follow('all', () => [each])));
  for (const follower of followers) resources.add(() => follower.stop());
  const hook = await createWebhookReceiver(origin, 'tournament.created');
  resources.add(() => hook.close());
  const writer = startWriter(origin, rate);
  resources.add(() => writer.stop());
  console.log(
    `${mode} replication, ${route === 'direct' ? 'several hosts in DATABASE_URL' : 'HAProxy in front of PostgreSQL'}, ${rate} writes/s, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`,
  );

  const completedKills: Kill[] = [];
  for (let number = 0; number < kills; number++) {
    const leader = await cluster.waitUntilComplete();
    await sleep(pause);
    const isMachineLost = number % 2 === 0;
    const promotion = promotionOf(cluster.other(leader));
    // Time for `promotionOf` to connect before the kill.
    await sleep(200);
    const killedAt = performance.now();
    await leader.kill(isMachineLost);
    const promotedAt = await promotion;
    const firstWrite = await waitFor('a write is acknowledged', async () => {
      return writer.writes.find(({ outcome, endedAt }) => outcome === 'acknowledged' && endedAt > promotedAt) ?? null;
    });
    await sleep(pause);
    const restartedAt = performance.now();
    leader.startServer();
    await cluster.waitUntilComplete();
    const kill = {
      isMachineLost,
      killedAt,
      promotedAt,
      firstWriteAt: firstWrite.endedAt,
      restartedAt,
      completeAt: performance.now(),
    };
    completedKills.push(kill);
    printKill(number + 1, kill, writer.writes);
    const seconds = (kill.firstWriteAt - promotedAt) / 1000;
    expectThat(
      mode === 'asynchronous' || seconds <= 10,
      `kill ${number + 1}: the first write was ${seconds.toFixed(1)} s after the promotion`,
    );
  }
  await sleep(pause);
  await writer.stop();
  const leader = await cluster.waitUntilComplete();
  const losses = await countLosses(leader.url('courtside', 'courtside'), {
    writes: writer.writes,
    kills: completedKills,
    followers,
    hook,
    deliverySeconds,
  });
  console.log(losses.text);
  const restarts = services.filter(({ isUp }) => !isUp()).length;
  console.log(`${restarts} process restarts, load ${loadavg()[0]?.toFixed(1)} at the end`);
  expectThat(restarts === 0, `${restarts} processes exited`);
  for (const violation of losses.violations) expectThat(mode === 'asynchronous', violation);
}

// An interrupted run stops the servers that it has started.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    await resources.close();
    process.exit(1);
  });

await run().catch((error: unknown) => problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error)));
await resources.close();
for (const violation of problems) console.log(`FAILED  ${violation}`);
process.exit(problems.length > 0 ? 1 : 0);
