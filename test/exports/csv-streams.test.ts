import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

const [rows, pages] = [12_000, 120];

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows(
    `insert into club (id, title) select 'club-' || n, repeat(md5(n::text), 15) from generate_series(1, $1::int) n`,
    [rows],
  );
});
afterAll(() => app.close());

const address = '/exports/clubs.csv?fields=id,title';

/** The begin of an answer of which nothing is read yet. */
async function begun(): Promise<IncomingMessage> {
  const request = get(app.origin + address, { headers: { 'PB-API-TOKEN': app.platform.platform } });
  const [response] = await once(request, 'response');
  return response;
}

/** Statements that the service takes until it takes none for a while. */
async function statementsOf(): Promise<number> {
  for (let before = -1; before !== app.statements(); await sleep(400)) before = app.statements();
  return app.statements();
}

test('rows are read as fast as the client takes them, and it gets all of them', async () => {
  const before = app.statements();
  const response = await begun();
  const whileWaiting = (await statementsOf()) - before;
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  expect([whileWaiting < pages, text.split('\r\n').length - 2, new Set(text.split('\r\n')).size - 2]).toEqual([true, rows, rows]);
});

test('no row is read any more for a client that has left', async () => {
  const before = app.statements();
  const response = await begun();
  response.destroy();
  const afterwards = await statementsOf();
  expect(afterwards - before).toBeLessThan(pages);
  expect((await app.rest('GET', '/readyz')).body).toEqual({ status: 'up' });
});

test('a list that cannot be gone on with is cut, so that nobody takes a part for the whole', async () => {
  const response = await begun();
  await statementsOf();
  await app.sql.rows('alter table club rename column title to gone', []);
  const read = async () => {
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return text.length;
  };
  const ended = await read().then(
    () => 'whole',
    () => 'cut',
  );
  await app.sql.rows('alter table club rename column gone to title', []);
  expect(ended).toBe('cut');
});

test('HEAD tells the headers and reads no row beyond the first page', async () => {
  const response = await fetch(app.origin + address, { method: 'HEAD', headers: { 'PB-API-TOKEN': app.platform.platform } });
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
    '',
  ]);
});

test('a file is compressed for who takes that', async () => {
  const response = await fetch(app.origin + address, {
    headers: { 'PB-API-TOKEN': app.platform.platform, 'accept-encoding': 'gzip' },
  });
  const lines = (await response.text()).split('\r\n').length - 2;
  expect([response.headers.get('content-encoding'), lines]).toEqual(['gzip', rows]);
});
