import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { Client } from 'pg';
import { disposableSettings, startEmbedded } from '../../../src/database/embedded.js';
import { hashOf, newToken } from '../../../src/modules/accounts/tokens/secrets.js';
import { startProcess } from '../service-process.js';
import { prepareDatabase } from './contenders.js';
import type { ClientResult, ClientTask } from './fairness-client.js';

/** Requests per second that each platform may send. */
const share = 60;
/** Number of platforms that stay within their share. */
const platformCount = 4;
/** Request rate of the other platform, as a multiple of its share. */
const excess = 20;

/**
 * Starts a separate process that sends requests, so that its delays do not affect other clients. Resolves when it has loaded its modules,
 * because that would delay the service.
 */
async function startClient(): Promise<ChildProcess> {
  const client = fork(new URL('./fairness-client.js', import.meta.url));
  await once(client, 'message');
  return client;
}

/** Lets a client send requests, and returns its result. The client exits afterwards. */
async function send(client: ChildProcess, task: ClientTask): Promise<ClientResult> {
  client.send(task);
  const [result] = await once(client, 'message');
  return result as ClientResult;
}

/**
 * Measures the response times of platforms that stay within their share of the requests: alone, and while another platform sends many more.
 * Prints one row per round, without and with the limit `requests.platform`.
 */
export async function fairness(directory: string, seconds: number, rounds: number): Promise<void> {
  const postgres = await startEmbedded(directory, { settings: { ...disposableSettings, shared_buffers: '256MB' } });
  try {
    const token = await prepareDatabase(postgres.url);
    const others = Array.from({ length: platformCount }, () => newToken());
    const database = new Client({ connectionString: postgres.url });
    await database.connect();
    for (const [index, other] of others.entries())
      await database.query('insert into platform (id, title, token_hash) values ($1, $1, $2)', [`other-${index}`, hashOf(other)]);
    await database.end();
    console.log(
      `${platformCount} platforms send ${share} requests/s each, another one ${share * excess}/s. Response times in ms.\n`,
    );
    console.log('| limit | alone: p50 | p99 | with the other platform: p50 | p99 | its responses |');
    console.log('|---|--:|--:|--:|--:|---|');
    for (const limit of ['none', `requests.platform=${share}/1s`]) {
      const service = await startProcess({
        DATABASE_URL: postgres.url,
        LOG_LEVEL: 'error',
        ...(limit !== 'none' && { RATE_LIMITS: limit }),
      });
      const task = { url: service.origin, tokens: others, rate: share * platformCount, seconds };
      const otherTask = { ...task, tokens: [token], rate: share * excess };
      await send(await startClient(), { ...task, seconds: 3 });
      for (let round = 0; round < rounds; round++) {
        const [client, secondClient, otherClient] = [await startClient(), await startClient(), await startClient()];
        // In production, the other client runs on another machine, so here it must not take CPU time from the service.
        setPriority(otherClient.pid ?? 0, constants.priority.PRIORITY_LOW);
        const alone = await send(client, task);
        const otherPlatform = send(otherClient, otherTask);
        const together = await send(secondClient, task);
        const { statuses } = await otherPlatform;
        const cells = [alone, together].flatMap(({ p50, p99 }) => [p50.toFixed(1), p99.toFixed(1)]);
        const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
        console.log(`| ${limit} | ${cells.join(' | ')} | ${counts.join(', ')} |`);
      }
      await service.stop();
    }
  } finally {
    await postgres.stop();
  }
}
