import { setImmediate } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/index.js';
import { openOrm } from '../../src/database/orm.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { type Database, emptyDatabase } from '../support/servers/test-database.js';

let database: Database;
beforeAll(async () => {
  database = await emptyDatabase();
});
afterAll(() => database.drop());

/** Runs a statement on both pools. Returns the selected `value` or the error message for each pool. */
async function query(parameters: { primary: string; replica: string }, statement: string) {
  const urlWith = (search: string) => Object.assign(new URL(database.url), { search }).href;
  const orm = openOrm({ url: urlWith(parameters.primary), replicas: [urlWith(parameters.replica)] });
  const pools = new Pools(orm);
  const run = (mode: 'write' | 'read') =>
    new Session(pools, mode).row(statement).then(
      (row) => row?.value,
      (error: Error) => error.message,
    );
  try {
    const [primary, replica] = await Promise.all([run('write'), run('read')]);
    return { primary, replica };
  } finally {
    await orm.close();
  }
}

test('the parameters of a connection string apply to every connection of its pool', async () => {
  const applicationName = `select current_setting('application_name') as value`;
  expect(await query({ primary: 'application_name=one', replica: 'application_name=other' }, applicationName)).toEqual({
    primary: 'one',
    replica: 'other',
  });
});

test('sslmode keeps its meaning, without the warning of pg', async () => {
  const warnings: string[] = [];
  const collect = ({ message }: Error) => warnings.push(message);
  process.on('warning', collect);
  const tlsOf = (parameters: string) => {
    const { databaseUrl } = loadConfig({ DATABASE_URL: `postgresql://u:p@db/courtside?${parameters}` });
    const { ssl } = new Client({ connectionString: databaseUrl ?? '' });
    return ssl;
  };
  const modes = ['prefer', 'require', 'verify-ca&application_name=x', 'verify-full', 'no-verify', 'disable'];
  const tls = Object.fromEntries(modes.map((mode) => [mode, tlsOf(`sslmode=${mode}`)]));
  const compatible = tlsOf('uselibpqcompat=true&sslmode=require');
  await setImmediate();
  process.off('warning', collect);
  expect({ tls, compatible, warnings }).toEqual({
    tls: {
      prefer: {},
      require: {},
      'verify-ca&application_name=x': {},
      'verify-full': {},
      'no-verify': { rejectUnauthorized: false },
      disable: false,
    },
    compatible: { rejectUnauthorized: false },
    warnings: [],
  });
});

test('no pool falls back to plain text if the connection string requires encryption', async () => {
  const parameters = { primary: 'sslmode=verify-full', replica: 'sslmode=verify-full&application_name=other' };
  expect(await query(parameters, 'select 1 as value')).toEqual({
    primary: expect.stringContaining('does not support SSL'),
    replica: expect.stringContaining('does not support SSL'),
  });
});

test('the settings of the service apply to the connections of every pool', async () => {
  const threshold = `select current_setting('pg_trgm.word_similarity_threshold', true) as value`;
  expect(await query({ primary: '', replica: '' }, threshold)).toEqual({ primary: '0.45', replica: '0.45' });
});
