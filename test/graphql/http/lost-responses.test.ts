import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IdempotentResponses, type KeyClaim } from '../../../src/graphql/idempotency/responses.js';
import { anonymousCaller } from '../../../src/kernel/declare/policy/caller.js';
import { Session } from '../../../src/kernel/session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Claims a request as a new process would, without the state of earlier requests. */
const startRequest = (key: string) =>
  new IdempotentResponses(app.resources.pools, pino({ level: 'silent' })).claim(key, anonymousCaller, [key]);
const startFirstRequest = async (key: string): Promise<KeyClaim> => {
  const request = await startRequest(key);
  if (!('fence' in request)) throw new Error('the request already had a response');
  return request;
};
/** Inserts a league in the transaction of a request. */
function insertLeague({ fence }: KeyClaim, id: string): Promise<unknown> {
  const sql = new Session(app.resources.pools, 'write');
  sql.fence = fence;
  return sql.rows('insert into league (id, title) values ($1, $1)', [id]);
}
const countLeagues = async (id: string) => (await app.sql.rows('select from league where id = $1', [id])).length;

test('a retry is rejected when the first request has committed and its response was lost', async () => {
  const request = await startFirstRequest('unseen');
  await insertLeague(request, 'unseen');
  await request.release();
  await expect(startRequest('unseen')).rejects.toMatchObject({ extensions: { code: 'CONFLICT' } });
  expect(await countLeagues('unseen')).toBe(1);
});

test('a retry runs immediately when the first request was rolled back', async () => {
  const request = await startFirstRequest('undone');
  await expect(insertLeague(request, 'unseen')).rejects.toThrow();
  await request.release();
  const retry = await startFirstRequest('undone');
  await insertLeague(retry, 'undone');
  expect(await countLeagues('undone')).toBe(1);
});

test('a request cannot commit after another process has taken it over', async () => {
  const request = await startFirstRequest('taken-over');
  await app.sql.rows(`update idempotent_response set leased_until = now() - interval '1 second' where response is null`);
  const successor = await startFirstRequest('taken-over');
  await expect(insertLeague(request, 'taken-over')).rejects.toMatchObject({ extensions: { code: 'STILL_RUNNING' } });
  expect(await countLeagues('taken-over')).toBe(0);
  await insertLeague(successor, 'taken-over');
  expect(await countLeagues('taken-over')).toBe(1);
});
