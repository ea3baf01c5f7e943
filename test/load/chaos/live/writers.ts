import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { sendRequest } from '../workload.js';

/** ID of the tournament that all writers change. */
export const shared = 'live-shared';

/** Running writers. The titles that they write contain consecutive numbers. */
export interface Writers {
  /** Titles of acknowledged writes. */
  readonly acknowledged: readonly string[];
  /** Returns the number of writes that were not acknowledged. */
  open(): number;
  readonly violations: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts writers that use the services in turn. Three in four writes change the shared tournament. Every fourth write changes the writer's
 * own tournament.
 */
export function startWriters(origins: () => readonly string[], { many = 20, pause = 60 } = {}): Writers {
  const acknowledged: string[] = [];
  const violations: string[] = [];
  const run = randomUUID().slice(0, 8);
  let [isOver, open] = [false, 0];
  const writer = async (name: number) => {
    for (let number = 0; !isOver; number++) {
      const all = origins();
      const id = number % 4 === 3 ? `live-${name}` : shared;
      const title = `${run} ${name}-${number}`;
      const query = `mutation { upsertTournament(input: { id: "${id}", title: "${title}" }) { version } }`;
      const response = await sendRequest(all[(name + number) % all.length] ?? '', {
        path: '/graphql',
        method: 'POST',
        body: { query },
      }).catch(() => null);
      if (response?.body?.data?.upsertTournament) acknowledged.push(title);
      else {
        open++;
        if (response && !JSON.stringify(response.body).includes('UNAVAILABLE'))
          violations.push(`a write returned ${response.status} ${JSON.stringify(response.body).slice(0, 200)}`);
      }
      await sleep(pause);
    }
  };
  const writing = Array.from({ length: many }, (_, name) => writer(name));
  return {
    acknowledged,
    violations,
    open: () => open,
    async stop() {
      isOver = true;
      await Promise.all(writing);
    },
  };
}

/** Starts transactions that write several records and stay open for a while. About half of them are disconnected before they commit. */
export function startInterruptedTransactions(url: string, pause = 100): { stop(): Promise<void> } {
  let isOver = false;
  const writing = (async () => {
    for (let number = 0; !isOver; number++) {
      const client = new Client({ connectionString: url, application_name: 'halfway' });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query('begin');
        for (const id of ['live-0', 'live-1', shared])
          await client.query('update tournament set title = $2, version = version + 1 where id = $1', [id, `halfway-${number}`]);
        await sleep(pause);
        if (number % 2) await client.query('commit');
      } catch {
        // The database is unavailable.
        await sleep(200);
      }
      await client.end().catch(() => undefined);
      await sleep(pause);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await writing;
    },
  };
}
