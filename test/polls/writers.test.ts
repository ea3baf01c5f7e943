import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { type Process, secondProcess } from '../support/second-process.js';

// Writers at one process and in SQL, pollers at another one: whoever is told that nothing has changed had all that was written before they asked.
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

/** The seeds of which a writer was told that they are committed. */
const committed = new Map(teams.map((id) => [id, 0]));
let isOver = false;

async function byMutations(id: string): Promise<void> {
  for (let seed = 1; !isOver; seed++) {
    await write(id, seed);
    committed.set(id, seed);
    await sleep(Math.random() * 800);
  }
}

/** Transactions that are open for a while, so that what others write behind them is committed before. */
async function byTransactions(id: string, most: number): Promise<void> {
  const client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  for (let seed = 1; !isOver; seed++) {
    await client.query('begin');
    await client.query('update team set seed = $2 where id = $1', [id, seed]);
    await sleep(Math.random() * most);
    await client.query(seed % 5 === 0 ? 'rollback' : 'commit');
    if (seed % 5 !== 0) committed.set(id, seed);
    await sleep(Math.random() * 900);
  }
  await client.end();
}

interface Told {
  polls: number;
  same: number;
  stale: string[];
}

/** Polls all the time, and keeps what it is given under its tag, as clients do. */
async function poll(path: string, ids: readonly string[], told: Told): Promise<void> {
  let [tag, seeds] = ['', new Map<string, number>()];
  while (!isOver) {
    const before = new Map(committed);
    const response = await fetch(other.origin + path, {
      headers: { 'PB-API-TOKEN': app.platform.platform, ...(tag ? { 'If-None-Match': tag } : {}) },
    });
    told.polls += 1;
    if (response.status === 304) told.same += 1;
    else {
      const body = await response.json();
      const rows: { uuid: string; seed: number }[] = body.results ?? [body.result];
      tag = response.headers.get('etag') ?? '';
      seeds = new Map(rows.map(({ uuid, seed }) => [uuid, seed]));
    }
    for (const id of ids)
      if ((seeds.get(id) ?? -1) < (before.get(id) ?? 0))
        told.stale.push(`${response.status} ${path}: ${seeds.get(id)} of ${id}, of which ${before.get(id)} was committed`);
    await sleep(Math.random() * 10);
  }
}

test('nobody is told that nothing has changed who lacks what was committed at another process before they asked', async () => {
  let made = 0;
  const count = () => {
    made += 1;
  };
  subscribe('courtside:poll', count);
  const told: Told = { polls: 0, same: 0, stale: [] };
  const work = [
    byMutations('a'),
    byMutations('b'),
    byTransactions('c', 60),
    byTransactions('d', 400),
    ...[1, 2].map(() => poll('/v1/data/teams?tournament_uuid=cup', teams, told)),
    ...teams.map((id) => poll(`/v1/data/teams/${id}`, [id], told)),
  ];
  await sleep(seconds * 1000);
  isOver = true;
  await Promise.all(work);
  unsubscribe('courtside:poll', count);
  expect(told.stale).toEqual([]);
  // Otherwise there was nothing to be seen: of those that were told the same, most were without the query.
  expect(told.same).toBeGreaterThan(100);
  expect(told.polls - made).toBeGreaterThan(50);
}, 30_000);
