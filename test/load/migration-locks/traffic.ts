import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from '../bench/contenders.js';

/** Counts and times of the requests of one kind. */
export interface RequestTimes {
  readonly count: number;
  readonly failed: number;
  /** Duration of the slowest request in milliseconds. */
  readonly slowest: number;
}

/** Pause between two requests of one client, in milliseconds. */
const pause = 50;
const clientsPerKind = 4;

const readQuery =
  'query ($id: ID!) { tournament(id: $id) { title startsAt } tournaments(first: 10, filter: { isFeatured: true }) { nodes { id title } } }';
const writeQuery = 'mutation ($id: ID!, $title: String!) { upsertTournament(input: { id: $id, title: $title }) { version } }';

const random = (ids: readonly string[]): string => ids[Math.floor(Math.random() * ids.length)] ?? '';

/** Reads and writes random tournaments. The returned function stops the requests and returns their times. */
export function startTraffic({ url, headers }: Contender, ids: readonly string[]) {
  let isStopped = false;
  const run = async (query: string, variables: () => object): Promise<RequestTimes> => {
    let [count, failed, slowest] = [0, 0, 0];
    const client = async () => {
      for (; !isStopped; await sleep(pause)) {
        const startedAt = performance.now();
        const response = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ query, variables: variables() }),
        });
        const { errors } = await response.json();
        count += 1;
        if (errors) failed += 1;
        slowest = Math.max(slowest, performance.now() - startedAt);
      }
    };
    await Promise.all(Array.from({ length: clientsPerKind }, client));
    return { count, failed, slowest };
  };
  let write = 0;
  const reads = run(readQuery, () => ({ id: random(ids) }));
  const writes = run(writeQuery, () => ({ id: random(ids), title: `Open ${++write}` }));
  return async (): Promise<{ reads: RequestTimes; writes: RequestTimes }> => {
    isStopped = true;
    return { reads: await reads, writes: await writes };
  };
}
