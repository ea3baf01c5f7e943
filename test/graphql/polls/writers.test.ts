import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Process, secondProcess } from '../../support/servers/second-app.js';

// One process and SQL clients write while another process is polled. A 304 is correct only if the client already has every write committed
// before the poll.
const seconds = 6;
const teams = ['a', 'b', 'c', 'd'];

let app: TestApp;
let other: Process;
beforeAll(async () => {
  app = await startApp();
  other = await secondProcess(app);
  for (const id of teams) await write(id, 0);
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const write = (id: string, seed: number) =>
  app.graphql('mutation ($input: TeamInput!) { upsertTeam(input: $input) { id } }', { input: { id, seed, tournamentId: 'cup' } });

/** Seed of the last commit that was confirmed to the writer, keyed by team ID. */
const committed = new Map(teams.map((id) => [id, 0]));
let isOver = false;

async function writeByMutations(id: string): Promise<void> {
  for (let seed = 1; !isOver; seed++) {
    await write(id, seed);
    committed.set(id, seed);
    await sleep(Math.random() * 800);
  }
}

/** Keeps each transaction open for a while, so that transactions with later positions in the change log commit first. */
async function writeByTransactions(id: string, longest: number): Promise<void> {
  const client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  for (let seed = 1; !isOver; seed++) {
    await client.query('begin');
    await client.query('update team set seed = $2 where id = $1', [id, seed]);
    await sleep(Math.random() * longest);
    await client.query(seed % 5 === 0 ? 'rollback' : 'commit');
    if (seed % 5 !== 0) committed.set(id, seed);
    await sleep(Math.random() * 900);
  }
  await client.end();
}

interface PollCounts {
  polls: number;
  notModified: number;
  stale: string[];
}

/** Polls repeatedly and caches the last response with its tag, as clients do. */
async function poll(path: string, ids: readonly string[], counts: PollCounts): Promise<void> {
  let [tag, seeds] = ['', new Map<string, number>()];
  while (!isOver) {
    const committedBefore = new Map(committed);
    const response = await fetch(other.origin + path, {
      headers: { 'PB-API-TOKEN': app.platform.platform, ...(tag ? { 'If-None-Match': tag } : {}) },
    });
    counts.polls += 1;
    if (response.status === 304) counts.notModified += 1;
    else {
      const body = await response.json();
      const rows: { uuid: string; seed: number }[] = body.results ?? [body.result];
      tag = response.headers.get('etag') ?? '';
      seeds = new Map(rows.map(({ uuid, seed }) => [uuid, seed]));
    }
    for (const id of ids)
      if ((seeds.get(id) ?? -1) < (committedBefore.get(id) ?? 0))
        counts.stale.push(
          `${response.status} ${path}: seed ${seeds.get(id)} of ${id}, but ${committedBefore.get(id)} was committed before`,
        );
    await sleep(Math.random() * 10);
  }
}

test('a poller gets 304 only if it has all changes that another process committed before the poll', async () => {
  let queriedPolls = 0;
  const count = () => {
    queriedPolls += 1;
  };
  subscribe('courtside:poll', count);
  const counts: PollCounts = { polls: 0, notModified: 0, stale: [] };
  const work = [
    writeByMutations('a'),
    writeByMutations('b'),
    writeByTransactions('c', 60),
    writeByTransactions('d', 400),
    ...[1, 2].map(() => poll('/v1/data/teams?tournament_uuid=cup', teams, counts)),
    ...teams.map((id) => poll(`/v1/data/teams/${id}`, [id], counts)),
  ];
  await sleep(seconds * 1000);
  isOver = true;
  await Promise.all(work);
  unsubscribe('courtside:poll', count);
  expect(counts.stale).toEqual([]);
  // Ensures that the run included polls that were answered without running the query.
  expect(counts.notModified).toBeGreaterThan(100);
  expect(counts.polls - queriedPolls).toBeGreaterThan(50);
}, 30_000);
