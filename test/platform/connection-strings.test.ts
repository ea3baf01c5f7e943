import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOrm } from '../../src/database/orm.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { type Database, emptyDatabase } from '../support/database.js';

let database: Database;
beforeAll(async () => {
  database = await emptyDatabase();
});
afterAll(() => database.drop());

/** What the primary and a replica, each with a query in its connection string, answer to a statement, or why they do not. */
async function ask(primary: string, replica: string, text: string) {
  const [url, other] = [primary, replica].map((query) => Object.assign(new URL(database.url), { search: query }).href) as [
    string,
    string,
  ];
  const orm = openOrm({ url, replicas: [other] });
  const pools = new Pools(orm);
  try {
    const asked = (['write', 'read'] as const).map((mode) =>
      new Session(pools, mode).row(text).then(
        (row) => row?.is,
        (error: Error) => error.message,
      ),
    );
    return await Promise.all(asked);
  } finally {
    await orm.close();
  }
}

test('all that a connection string says holds for the connections of every pool', async () => {
  const names = `select current_setting('application_name') as is`;
  expect(await ask('application_name=one', 'application_name=other', names)).toEqual(['one', 'other']);
});

test('where a connection string asks for encryption, no pool speaks in the open', async () => {
  const answers = await ask('sslmode=verify-full', 'sslmode=verify-full&application_name=other', 'select 1 as is');
  expect(answers).toEqual([1, 2].map(() => expect.stringContaining('does not support SSL')));
});

test('the settings of the service hold for the connections of every pool', async () => {
  const threshold = `select current_setting('pg_trgm.word_similarity_threshold', true) as is`;
  expect(await ask('', '', threshold)).toEqual(['0.45', '0.45']);
});
