import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureFields, toClientError } from '../../src/kernel/database-errors.js';
import { freePort } from '../../src/process/port.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

let database: Database;
const role = `limited_${process.pid}`;
beforeAll(async () => {
  database = await freshDatabase();
  await run(`create role ${role} login password 'x' connection limit 0`);
});
afterAll(async () => {
  await run(`drop role ${role}`);
  await database.drop();
});

async function run(statement: string, url = database.url): Promise<void> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns the log fields for a driver error, and for the error that a session throws instead. */
const fieldsOf = (work: Promise<void>) =>
  work.then(
    () => null,
    (error) => [failureFields(error), failureFields(toClientError(error))],
  );

/** Returns the expected fields. `clientReason` is the message of the error that a session throws, if it differs. */
const fields = (reason: unknown, details: object, clientReason = reason) => [
  { reason, ...details },
  { reason: clientReason, ...details },
];

test('log lines about failed work contain the cause and the code of database and system errors', async () => {
  const limited = new URL(database.url);
  limited.username = role;
  limited.password = 'x';
  const unreachable = `postgresql://ana@127.0.0.1:${await freePort()}/courtside`;
  expect({
    limited: await fieldsOf(run('select 1', limited.href)),
    unreachable: await fieldsOf(run('select 1', unreachable)),
    fullDisk: await fieldsOf(run(`do $$ begin raise 'no space left on device' using errcode = '53100'; end $$`)),
    missingTable: await fieldsOf(run('select 1 from missing')),
    tooLarge: await fieldsOf(run('select 99999999999::int')),
    terminated: await fieldsOf(Promise.reject(new Error('Connection terminated unexpectedly'))),
    otherError: await fieldsOf(Promise.reject(new Error('it rains'))),
  }).toEqual({
    limited: fields(
      `too many connections for role "${role}"`,
      { cause: 'too many connections', code: '53300' },
      'the database cannot be reached',
    ),
    unreachable: fields(
      expect.stringContaining('ECONNREFUSED'),
      { cause: 'connection refused', code: 'ECONNREFUSED' },
      'the database cannot be reached',
    ),
    fullDisk: fields(
      'no space left on device',
      { cause: 'disk full', code: '53100' },
      'the database server has no free disk space',
    ),
    missingTable: fields('relation "missing" does not exist', { cause: 'invalid statement', code: '42P01' }),
    tooLarge: fields('integer out of range', { code: '22003' }, 'a value is out of the range that can be stored'),
    terminated: fields('Connection terminated unexpectedly', { cause: 'connection lost' }, 'the database cannot be reached'),
    otherError: fields('it rains', {}),
  });
});

test('an error that pg-boss reports as a plain object has the same fields', async () => {
  const error = await run('select 1 from missing').catch((error: unknown) => error);
  const { message } = error as Error;
  expect({ reported: failureFields({ ...(error as object), message, queue: 'mail' }), other: failureFields('it rains') }).toEqual(
    {
      reported: failureFields(error),
      other: { reason: 'it rains' },
    },
  );
  expect(failureFields(error)).toMatchObject({ reason: 'relation "missing" does not exist', code: '42P01' });
});
