import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type First, FirstAnswers } from '../../src/gateway/retries/first-answers.js';
import { nobody } from '../../src/kernel/declare/caller.js';
import { Session } from '../../src/kernel/session.js';
import { startApp, type TestApp } from '../support/app.js';

// What is known of a request with an Idempotency-Key whose transaction ended without anybody learning of it.

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const beginOf = (key: string) => new FirstAnswers(app.resources.pools, pino({ level: 'silent' })).begin(key, nobody, [key]);
const first = async (key: string): Promise<First> => {
  const begun = await beginOf(key);
  if (!('fence' in begun)) throw new Error('it was answered before');
  return begun;
};
/** Makes a league as a request does that was begun. */
function make({ fence }: First, id: string): Promise<unknown> {
  const sql = new Session(app.resources.pools, 'write');
  sql.fence = fence;
  return sql.rows('insert into league (id, title) values ($1, $1)', [id]);
}
const leagues = async (id: string) => (await app.sql.rows('select from league where id = $1', [id])).length;

test('it was done: it is not done again, and who asks again is told so', async () => {
  const begun = await first('unseen');
  await make(begun, 'unseen');
  await begun.forget();
  await expect(beginOf('unseen')).rejects.toMatchObject({ extensions: { code: 'CONFLICT' } });
  expect(await leagues('unseen')).toBe(1);
});

test('it was not done: it is free at once', async () => {
  const begun = await first('undone');
  await expect(make(begun, 'unseen')).rejects.toThrow();
  await begun.forget();
  const again = await first('undone');
  await make(again, 'undone');
  expect(await leagues('undone')).toBe(1);
});

test('another process has taken it over: what it does is not committed', async () => {
  const begun = await first('taken-over');
  await app.sql.rows(`update first_answer set leased_until = now() - interval '1 second' where answer is null`);
  const other = await first('taken-over');
  await expect(make(begun, 'taken-over')).rejects.toMatchObject({ extensions: { code: 'STILL_RUNNING' } });
  expect(await leagues('taken-over')).toBe(0);
  await make(other, 'taken-over');
  expect(await leagues('taken-over')).toBe(1);
});
