import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Client } from 'pg';

/** One thing that a transaction does; what it writes are rows of a few records that all of them write. */
export type Step =
  | { readonly does: 'write' | 'delete'; readonly further: number }
  | { readonly does: 'savepoint' }
  | { readonly does: 'back' }
  | { readonly does: 'pause'; readonly milliseconds: number };

/** What a transaction does, and how it ends. */
export interface Transaction {
  readonly steps: readonly Step[];
  readonly isPrepared: boolean;
  readonly end: 'commit' | 'rollback';
}

/** A write as who made it knows of it. */
export interface Written {
  readonly id: string;
  /** Each write has a number of its own; one that deletes has that of the row that it deleted, below zero. */
  readonly number: number;
  isCommitted: boolean;
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ does: fc.constant('write' as const), further: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete' as const), further: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ does: 'savepoint' }, { does: 'back' }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('pause' as const), milliseconds: fc.nat(30) }) },
);

export const transactions: fc.Arbitrary<Transaction> = fc.record({
  steps: fc.array(steps, { minLength: 1, maxLength: 14 }),
  isPrepared: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  end: fc.constantFrom('commit' as const, 'commit' as const, 'rollback' as const),
});

/** What is written beside the log, in the same transaction, by a trigger of the test: which write has which position. */
export const witness = `
  create table witness (position bigint primary key, id text not null, number int not null);
  create function witness() returns trigger language plpgsql as $$
    begin
      insert into witness values (currval('change_position'), coalesce(new.id, old.id), coalesce(new.seed, -old.seed));
      return null;
    end $$;
  create trigger witness after insert or update or delete on team for each row execute function witness()`;

let numbers = 0;
let names = 0;

/**
 * Runs a transaction. Its writes are noted while it holds the locks of their rows, so that those of a record stand in the order of their commits.
 * Each writes records in the order of their ids, so that none waits for one that waits for it.
 */
export async function run(client: Client, { steps, isPrepared, end }: Transaction, written: Written[]): Promise<void> {
  const own: Written[] = [];
  const savepoints: number[] = [];
  let record = 0;
  await client.query('begin');
  for (const step of steps) {
    if (step.does === 'pause') await sleep(step.milliseconds);
    else if (step.does === 'savepoint') {
      await client.query('savepoint here');
      savepoints.push(own.length);
    } else if (step.does === 'back') {
      const kept = savepoints.pop();
      if (kept === undefined) continue;
      await client.query('rollback to savepoint here; release savepoint here');
      own.length = kept;
    } else {
      record += step.further;
      const id = `r${String(record).padStart(2, '0')}`;
      const number = ++numbers;
      const { rows } =
        step.does === 'write'
          ? await client.query(
              'insert into team (id, seed) values ($1, $2) on conflict (id) do update set seed = excluded.seed returning seed',
              [id, number],
            )
          : await client.query('delete from team where id = $1 returning -seed as seed', [id]);
      for (const { seed } of rows) {
        const one = { id, number: seed, isCommitted: false };
        own.push(one);
        written.push(one);
      }
    }
  }
  // Nobody sees it before its commit, and who comes behind it is noted behind it: it is noted as it was written.
  const commit = () => {
    for (const one of own) one.isCommitted = true;
  };
  if (!isPrepared) {
    await client.query(end);
    if (end === 'commit') commit();
    return;
  }
  const name = `prepared-${++names}`;
  await client.query(`prepare transaction '${name}'`);
  await sleep(20);
  await client.query(`${end} prepared '${name}'`);
  if (end === 'commit') commit();
}

/** Runs what is to be done one after the other over a connection of its own. */
export async function runAll(url: string, all: readonly Transaction[], written: Written[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const one of all) await run(client, one, written);
  } finally {
    await client.end();
  }
}
