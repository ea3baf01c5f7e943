import { Client } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { disposableSettings, startEmbedded } from '../../src/database/embedded.js';
import { buildService, runService, scratchDirectory } from '../support/servers/service-process.js';
import { emptyDatabase } from '../support/servers/test-database.js';
import names from './names-before-baseline.json' with { type: 'json' };

// Tests with databases of development versions, before the baseline replaced all migrations. The databases contain only the migrations
// table, which is sufficient to recognize them.

beforeAll(buildService);

async function insertNames(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    'create table mikro_orm_migrations (id serial primary key, name text, executed_at timestamptz default now())',
  );
  await client.query('insert into mikro_orm_migrations (name) select unnest($1::text[])', [names]);
  await client.end();
}

async function startWith(variables: Record<string, string>) {
  const service = await runService(variables);
  return { code: await service.exit, output: service.output() };
}

const refusal = {
  code: 1,
  output:
    'The database was created by a development version before 0.1.0 and cannot be upgraded: export the data that you need with that ' +
    'version, delete the embedded database (the directory DATA_DIR, by default .courtside) or set DATABASE_URL to an empty database, ' +
    'and start again.\n',
};

test('the service does not start on an external database from before the baseline', async () => {
  const database = await emptyDatabase();
  await insertNames(database.url);
  expect(await startWith({ DATABASE_URL: database.url })).toEqual(refusal);
  await database.drop();
});

test('the service does not start on an embedded database from before the baseline', async () => {
  const directory = await scratchDirectory();
  const embedded = await startEmbedded(directory, { settings: disposableSettings });
  await insertNames(embedded.url).finally(embedded.stop);
  expect(await startWith({ DATA_DIR: directory })).toEqual(refusal);
});
