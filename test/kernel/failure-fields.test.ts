import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureFields } from '../../src/kernel/database-errors.js';
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

const fieldsOf = (work: Promise<void>) => work.then(() => null, failureFields);

test('log lines about failed work contain the cause and the code of errors of the database and of the system', async () => {
  const limited = new URL(database.url);
  limited.username = role;
  limited.password = 'x';
  const unreachable = `postgresql://ana@127.0.0.1:${await freePort()}/courtside`;
  expect({
    limited: await fieldsOf(run('select 1', limited.href)),
    unreachable: await fieldsOf(run('select 1', unreachable)),
    missingTable: await fieldsOf(run('select 1 from missing')),
    otherError: failureFields(new Error('it rains')),
  }).toEqual({
    limited: { reason: `too many connections for role "${role}"`, cause: 'too many connections', code: '53300' },
    unreachable: { reason: expect.stringContaining('ECONNREFUSED'), cause: 'connection refused', code: 'ECONNREFUSED' },
    missingTable: { reason: 'relation "missing" does not exist', cause: 'invalid statement', code: '42P01' },
    otherError: { reason: 'it rains' },
  });
});
