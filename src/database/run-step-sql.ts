import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { errorCode } from '../kernel/database-errors.js';
import { type BackfillStep, defaultBatchSize, type IndexStep, type MigrationStep } from './migration-steps.js';

/**
 * Work that runs with a step. If the step is a transaction, the work is part of it. If not, the work runs in a separate transaction after
 * the step.
 */
type Finish = (client: PoolClient) => Promise<unknown>;

/** Called before the transaction is repeated because a lock was not available or a deadlock occurred. */
export type OnLockTimeout = (attempt: number) => void;

/**
 * Lock timeouts in milliseconds. While a statement waits for a lock, all later statements on the table wait, too. Most attempts therefore
 * give up early. Every fifth attempt waits for longer than `deadlock_timeout` (1 s), because PostgreSQL cancels a blocking autovacuum only
 * after this time.
 */
const lockTimeout = (attempt: number): number => (attempt % 5 === 0 ? 1_200 : 500);

/** Maximum number of attempts, and the pause between two attempts in milliseconds. Waiting requests run during the pause. */
const [maxAttempts, pauseMs] = [300, 1_000];

const lockCodes = ['55P03', '40P01'];

/**
 * Runs work in a transaction without a statement timeout. After a lock timeout or a deadlock, rolls the transaction back and tries again. Gives
 * up after five minutes at the earliest.
 */
export async function inTransaction(client: PoolClient, work: Finish, onLockTimeout: OnLockTimeout): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await client.query('begin');
    try {
      await client.query(
        `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = ${lockTimeout(attempt)}`,
      );
      await work(client);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (!lockCodes.includes(errorCode(error)) || attempt === maxAttempts) throw error;
      onLockTimeout(attempt);
      await sleep(pauseMs);
    }
  }
}

/** Returns the statement that builds the index of a step. The statement cannot run in a transaction. */
export const indexStatement = ({ index, table, definition, isUnique = false }: IndexStep): string =>
  `create ${isUnique ? 'unique ' : ''}index concurrently ${index} on ${table} ${definition}`;

/**
 * Disables the timeouts of a session. Does nothing behind a pooler, where other clients would later use the connection with this setting.
 * Behind a pooler, the process ID of the session differs from the ID that the pooler reports.
 */
async function disableTimeouts(client: PoolClient): Promise<void> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  if (rows[0]?.pid === Reflect.get(client, 'processID')) await client.query('set statement_timeout = 0; set lock_timeout = 0');
}

/** Builds an index, unless it exists. Replaces the invalid index that an interrupted step leaves. */
async function buildIndex(client: PoolClient, step: IndexStep): Promise<void> {
  await disableTimeouts(client);
  const { rows } = await client.query('select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)', [
    step.index,
  ]);
  if (rows[0]?.isValid) return;
  if (rows[0]) await client.query(`drop index concurrently ${step.index}`);
  await client.query(indexStatement(step));
}

/** Returns the SQL for one batch. Parameters: the ID before the batch (empty for the first batch), and the number of rows. */
export const batchStatement = ({ backfill: table, set, where }: BackfillStep): string => `
  with batch as materialized (select id from ${table} where id > $1 order by id limit $2),
    updated as (update ${table} set ${set} where id in (select id from batch) and (${where}))
  select max(id) as last from batch`;

async function backfill(client: PoolClient, step: BackfillStep, onLockTimeout: OnLockTimeout): Promise<void> {
  const statement = batchStatement(step);
  let last: string | null = '';
  do {
    const previous: string = last;
    await inTransaction(
      client,
      async () => {
        const { rows } = await client.query(statement, [previous, step.batchSize ?? defaultBatchSize]);
        last = rows[0]?.last ?? null;
      },
      onLockTimeout,
    );
  } while (last !== null);
}

/** Runs a step and the work that finishes it. An interrupted step can run again. */
export async function runStep(
  client: PoolClient,
  step: MigrationStep,
  finish: Finish,
  onLockTimeout: OnLockTimeout,
): Promise<void> {
  if ('statements' in step) {
    const work = async () => {
      for (const statement of step.statements) await client.query(statement);
      await finish(client);
    };
    return inTransaction(client, work, onLockTimeout);
  }
  await ('index' in step ? buildIndex(client, step) : backfill(client, step, onLockTimeout));
  return inTransaction(client, finish, onLockTimeout);
}
