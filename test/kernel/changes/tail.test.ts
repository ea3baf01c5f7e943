import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOrm } from '../../../src/database/orm.js';
import { type Change, ChangeLog, type ChangePosition, type Watch, type WatchEvent } from '../../../src/kernel/changes/index.js';
import { Pools } from '../../../src/kernel/session.js';
import { type RecordedWrite, runAll, transactions, witness } from '../../support/fixtures/transactions.js';
import { type Database, freshDatabase } from '../../support/servers/test-database.js';

let database: Database;
let sql: Client;
let logs: ChangeLog[];
const closing: (() => Promise<unknown>)[] = [];

/** Opens the log as a separate process would. */
async function openLog(): Promise<ChangeLog> {
  const orm = openOrm({ url: database.url, pool: 4, isLazy: true });
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

interface Reader {
  /** Delay before the reader starts, in milliseconds. */
  readonly delay: number;
  /** Position to start at, as a fraction of the recorded positions. If null, the reader starts at the current position. */
  readonly startAt: number | null;
  readonly process: number;
}

const readerArbitrary: fc.Arbitrary<Reader> = fc.record({
  delay: fc.nat(400),
  startAt: fc.option(fc.double({ min: 0, max: 0.999, noNaN: true })),
  process: fc.nat(1),
});

async function openWatch({ delay, startAt, process }: Reader, positions: readonly ChangePosition[]): Promise<Watch> {
  await sleep(delay);
  const start = startAt === null ? null : (positions[Math.floor(startAt * positions.length)] ?? null);
  return (logs[process] as ChangeLog).watch(['Team'], start);
}

/** Reads up to the change of the last record. Returns the changes, and the position before the first change. */
async function readUntil(watch: Watch, lastId: string) {
  const events: WatchEvent[] = [];
  for await (const event of watch) {
    events.push(event);
    if ('id' in event && event.id === lastId) break;
  }
  return { start: watch.start.position, changes: events as Change[] };
}

let run = 0;
test('a watch gets exactly the changes committed after its position, in order, whenever it starts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(transactions, { minLength: 2, maxLength: 8 }), { minLength: 3, maxLength: 6 }),
      fc.array(readerArbitrary, { minLength: 3, maxLength: 8 }),
      async (writers, readers) => {
        const lastId = `end-${++run}`;
        const written: RecordedWrite[] = [];
        const start = await (logs[0] as ChangeLog).currentPosition();
        const positions = [start];
        let isOver = false;
        const recordingPositions = logs.map(async (log) => {
          for (; !isOver; await sleep(20)) positions.push(await log.currentPosition());
        });
        const openingWatches = readers.map((reader) => openWatch(reader, positions));
        const readingWatches = openingWatches.map(async (watch) => readUntil(await watch, lastId));
        await Promise.all(writers.map((transactionsOfWriter) => runAll(database.url, transactionsOfWriter, written)));
        // A watch that starts after the last change would wait for it forever.
        await Promise.all(openingWatches);
        await sql.query('insert into team (id, seed) values ($1, 0)', [lastId]);
        const results = await Promise.all(readingWatches);
        isOver = true;
        await Promise.all(recordingPositions);
        const { rows: witnessed } = await sql.query<{ position: number; id: string; number: number }>(
          'select position::int as position, id, number from witness where position > $1 order by position',
          [start.position],
        );
        const { rows: logged } = await sql.query(
          'select position::int as position, id from change where position > $1 order by 1',
          [start.position],
        );
        expect(logged).toEqual(witnessed.map(({ position, id }) => ({ position, id })));
        const numbersByRecord = (writes: readonly { id: string; number: number }[]) =>
          Object.entries(Object.groupBy(writes, ({ id }) => id))
            .map(([id, writesOfRecord = []]) => `${id}: ${writesOfRecord.map(({ number }) => number)}`)
            .sort();
        expect(numbersByRecord(witnessed.filter(({ id }) => id !== lastId))).toEqual(
          numbersByRecord(written.filter(({ isCommitted }) => isCommitted)),
        );
        for (const { start, changes } of results)
          expect(changes.map(({ position, id }) => `${position} ${id}`)).toEqual(
            witnessed.flatMap(({ position, id }) => (position > start ? [`${position} ${id}`] : [])),
          );
      },
    ),
    { numRuns: 4, endOnFailure: true },
  );
}, 60_000);

test('a process that reads the log for the first time never returns a position before changes that are already committed', async () => {
  const [earlier, later] = [new Client({ connectionString: database.url }), new Client({ connectionString: database.url })];
  await Promise.all([earlier.connect(), later.connect()]);
  try {
    await sql.query(`insert into team (id, seed) values ('committed', 0)`);
    const { rows } = await sql.query(`select position::int as position from change where id = 'committed'`);
    await earlier.query(`begin; insert into team (id, seed) values ('earlier', 0)`);
    const log = await openLog();
    const place = log.recentPosition();
    await sleep(200);
    await later.query(`begin; insert into team (id, seed) values ('later', 0)`);
    await earlier.query('commit');
    // Longer than the 500 ms that `recentPosition()` waits in a process that has already read the log.
    await sleep(1_000);
    await later.query('commit');
    expect((await place).position).toBeGreaterThanOrEqual(rows[0].position);
  } finally {
    await Promise.all([earlier.end(), later.end()]);
  }
});
