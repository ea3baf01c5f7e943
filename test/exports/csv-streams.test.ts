import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';

const [rows, pages] = [12_000, 120];

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  const client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  // Disables triggers, which would take most of the time.
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into club (id, title) select 'club-' || n, repeat(md5(n::text), 15) from generate_series(1, $1::int) n`,
    [rows],
  );
  await client.end();
});
afterAll(() => app.close());

const address = '/exports/clubs.csv?fields=id,title';

/** Returns a response before its body is read. */
async function startResponse(): Promise<IncomingMessage> {
  const request = get(app.origin + address, { headers: { 'PB-API-TOKEN': app.platform.platform } });
  const [response] = await once(request, 'response');
  return response;
}

/** Waits until the service has run no statement for 400 ms. Returns the total number of its statements. */
async function settledStatementCount(): Promise<number> {
  for (let before = -1; before !== app.statements(); await sleep(400)) before = app.statements();
  return app.statements();
}

test('reading rows pauses while the client does not read, and the client receives all rows', async () => {
  const before = app.statements();
  const response = await startResponse();
  const statementsWhilePaused = (await settledStatementCount()) - before;
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  expect(statementsWhilePaused).toBeLessThan(pages);
  const lines = text.split('\r\n');
  expect({ rows: lines.length - 2, distinctRows: new Set(lines).size - 2 }).toEqual({ rows, distinctRows: rows });
});

test('reading rows stops when the client disconnects', async () => {
  const before = app.statements();
  const response = await startResponse();
  response.destroy();
  const after = await settledStatementCount();
  expect(after - before).toBeLessThan(pages);
  expect((await app.rest('GET', '/readyz')).body).toEqual({ status: 'up' });
});

test('an error on a later page aborts the response, so that no client mistakes it for a complete one', async () => {
  const response = await startResponse();
  await settledStatementCount();
  await app.sql.rows('alter table club rename column title to gone', []);
  const read = async () => {
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return text.length;
  };
  const outcome = await read().then(
    () => 'complete',
    () => 'aborted',
  );
  await app.sql.rows('alter table club rename column gone to title', []);
  expect(outcome).toBe('aborted');
});

test('a HEAD request returns the headers without a body', async () => {
  const response = await fetch(app.origin + address, { method: 'HEAD', headers: { 'PB-API-TOKEN': app.platform.platform } });
  expect({
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: await response.text(),
  }).toEqual({ status: 200, contentType: 'text/csv; charset=utf-8; header=present', body: '' });
});

test('a file is compressed when the client accepts gzip', async () => {
  const response = await fetch(app.origin + address, {
    headers: { 'PB-API-TOKEN': app.platform.platform, 'accept-encoding': 'gzip' },
  });
  const rowCount = (await response.text()).split('\r\n').length - 2;
  expect({ encoding: response.headers.get('content-encoding'), rowCount }).toEqual({ encoding: 'gzip', rowCount: rows });
});
