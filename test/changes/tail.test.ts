import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOrm } from '../../src/database/orm.js';
import { type Change, ChangeLog, type ChangePlace, type Told, type Watch } from '../../src/kernel/changes/index.js';
import { Pools } from '../../src/kernel/session.js';
import { runAll, transactions, type Written, witness } from '../support/changes/transactions.js';
import { type Database, freshDatabase } from '../support/database.js';

let database: Database;
let sql: Client;
let logs: ChangeLog[];
const closing: (() => Promise<unknown>)[] = [];

/** The log as another process reads it. */
async function openLog(): Promise<ChangeLog> {
  const orm = openOrm({ url: database.url, pool: 4, lazily: true });
  const log = new ChangeLog(new Pools(orm));
  closing.unshift(
    () => log.stop(),
    () => orm.close(),
  );
  return log;
}

beforeAll(async () => {
  database = await freshDatabase();
  closing.push(() => database.drop());
  sql = new Client({ connectionString: database.url });
  await sql.connect();
  closing.unshift(() => sql.end());
  await sql.query(witness);
  logs = [await openLog(), await openLog()];
});
afterAll(async () => {
  for (const close of closing) await close();
});

/** A reader that begins after a while, at a place that somebody was at before, or now. */
interface Reading {
  readonly after: number;
  readonly at: number | null;
  readonly process: number;
}

const readings: fc.Arbitrary<Reading> = fc.record({
  after: fc.nat(400),
  at: fc.option(fc.double({ min: 0, max: 0.999, noNaN: true })),
  process: fc.nat(1),
});

/** Begins to read: at a place that somebody was at before, or now. */
async function begin({ after, at, process }: Reading, places: readonly ChangePlace[]): Promise<Watch> {
  await sleep(after);
  const place = at === null ? null : (places[Math.floor(at * places.length)] ?? null);
  return (logs[process] as ChangeLog).watch(['Team'], place);
}

/** What a reader is told until the last change of all, and behind which position. */
async function read(watch: Watch, last: string) {
  const told: Told[] = [];
  for await (const each of watch) {
    told.push(each);
    if ('id' in each && each.id === last) break;
  }
  return { start: watch.start.position, told: told as Change[] };
}

let round = 0;
test('whoever begins to read whenever, wherever, is told all that is committed behind that, in order, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(transactions, { minLength: 2, maxLength: 8 }), { minLength: 3, maxLength: 6 }),
      fc.array(readings, { minLength: 3, maxLength: 8 }),
      async (writers, readers) => {
        const last = `end-${++round}`;
        const written: Written[] = [];
        const from = await (logs[0] as ChangeLog).here();
        const places = [from];
        let isOver = false;
        const looking = logs.map(async (log) => {
          for (; !isOver; await sleep(20)) places.push(await log.here());
        });
        const begun = readers.map((reader) => begin(reader, places));
        const reading = begun.map(async (watch) => read(await watch, last));
        await Promise.all(writers.map((all) => runAll(database.url, all, written)));
        // Who begins behind the last change would wait for it for ever.
        await Promise.all(begun);
        await sql.query('insert into team (id, seed) values ($1, 0)', [last]);
        const heard = await Promise.all(reading);
        isOver = true;
        await Promise.all(looking);
        const { rows } = await sql.query<{ position: number; id: string; number: number }>(
          'select position::int as position, id, number from witness where position > $1 order by position',
          [from.position],
        );
        const { rows: logged } = await sql.query(
          'select position::int as position, id from change where position > $1 order by 1',
          [from.position],
        );
        expect(logged).toEqual(rows.map(({ position, id }) => ({ position, id })));
        const byRecord = (all: readonly { id: string; number: number }[]) =>
          Object.entries(Object.groupBy(all, ({ id }) => id))
            .map(([id, of = []]) => `${id}: ${of.map(({ number }) => number)}`)
            .sort();
        expect(byRecord(rows.filter(({ id }) => id !== last))).toEqual(
          byRecord(written.filter(({ isCommitted }) => isCommitted)),
        );
        for (const { start, told } of heard)
          expect(told.map(({ position, id }) => `${position} ${id}`)).toEqual(
            rows.flatMap(({ position, id }) => (position > start ? [`${position} ${id}`] : [])),
          );
      },
    ),
    { numRuns: 4, endOnFailure: true },
  );
}, 60_000);
