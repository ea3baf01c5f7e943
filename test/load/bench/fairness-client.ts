import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../soak/report.js';
import { Traffic } from '../soak/traffic.js';
import { workloads } from './workloads.js';

/** Requests that a separate process sends at a constant rate. */
export interface ClientTask {
  readonly url: string;
  readonly tokens: readonly string[];
  /** Requests per second of all tokens together. */
  readonly rate: number;
  readonly seconds: number;
}

/** Response times in milliseconds, and the number of responses by status. */
export interface ClientResult {
  readonly p50: number;
  readonly p99: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** Maximum number of pending requests. It simulates the size of a server's connection pool. */
const maxOpen = 100;

/** Paths of single tournaments and of lists, alternating. */
const paths = workloads.single.requests.flatMap(({ path }, index) => [path, workloads.list.requests[index]?.path ?? path]);

/** Keeps connections open. `fetch` would need as much CPU time as the service. */
const agent = new Agent({ keepAlive: true });

/** Sends a GET, discards the body, and returns the status. */
const statusOf = (url: string, token: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'PB-API-TOKEN': token } }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0)).on('error', reject);
      response.resume();
    }).on('error', reject);
  });

process.once('message', async ({ url, tokens, rate, seconds }: ClientTask) => {
  const statuses: Record<string, number> = {};
  const traffic = new Traffic(
    tokens.map((token) => ({
      kind: token,
      weight: 1,
      statuses: [200, 429, 503],
      async send(number) {
        const status = await statusOf(url + paths[number % paths.length], token);
        statuses[status] = (statuses[status] ?? 0) + 1;
        return { status, text: async () => '' };
      },
    })),
    rate,
    maxOpen,
  );
  const sent = traffic.run();
  await sleep(seconds * 1000);
  traffic.stop();
  await sent;
  const { took } = traffic.takeInterval();
  process.send?.({ p50: quantile(took, 0.5), p99: quantile(took, 0.99), statuses } satisfies ClientResult);
  process.disconnect();
});
process.send?.('ready');
