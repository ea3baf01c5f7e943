import { once } from 'node:events';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { portOf } from '../../../src/process/port.js';
import { downloadRecords } from '../../../src/transfer/download/download.js';
import type { TestApp } from '../../support/servers/app.js';
import { startTrimmedSeason } from '../../support/servers/season.js';

let old: TestApp;
/** Directory with a complete download. */
let complete: string;
let counts: Map<string, number>;
beforeAll(async () => {
  old = await startTrimmedSeason();
  complete = await newDirectory();
  counts = await downloadRecords({ url: `${old.origin}/v1`, token: old.platform.platform }, complete);
}, 120_000);
afterAll(async () => {
  // Requests in advance are still pending when a download fails, and the download may send further requests.
  for (const proxy of proxies) {
    proxy.close();
    proxy.closeAllConnections();
  }
  await Promise.all(pendingResponses);
  await old.close();
});

const proxies: Server[] = [];
/** Responses of the proxies that are not complete. */
const pendingResponses = new Set<Promise<void>>();

const newDirectory = () => mkdtemp(join(tmpdir(), 'download-'));

async function rowsIn(directory: string, table: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(directory, `${table}.ndjson`), 'utf8');
  return text.split('\n').flatMap((line) => (line ? JSON.parse(line) : []));
}

/** Returns the contents of the downloaded files. */
async function filesIn(directory: string): Promise<Record<string, string>> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.ndjson'));
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), 'utf8')])));
}

interface OldServer {
  readonly server: Server;
  readonly url: string;
  readonly requests: string[];
}

type Refusal = [status: number, headers?: object];

/**
 * Starts a proxy that forwards requests to the old service, with a smaller page size. It rejects requests for which `refuse` returns a
 * status. `rewrite` changes the paths.
 */
async function proxyWith(
  refuse: (path: string, index: number) => Refusal | null | Promise<null>,
  rewrite = (path: string) => path,
): Promise<OldServer> {
  const requests: string[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = rewrite((request.url ?? '').replace('page_size=1000', 'page_size=25'));
    requests.push(path);
    const [status, headers] = (await refuse(path, requests.length)) ?? [];
    if (status !== undefined) return void response.writeHead(status, { ...headers }).end('{}');
    const answer = await fetch(`${old.origin}${path}`, { headers: { 'PB-API-TOKEN': String(request.headers['pb-api-token']) } });
    // The total is too low, as in an estimate.
    response.writeHead(answer.status).end((await answer.text()).replace('"totalRecords":"400"', '"totalRecords":"30"'));
  };
  const server = createServer((request, response) => {
    const pending = respond(request, response).finally(() => pendingResponses.delete(pending));
    pendingResponses.add(pending);
  }).listen(0, '127.0.0.1');
  proxies.push(server);
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${portOf(server)}/v1`, requests };
}

const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);

/** Whether a downloaded value represents the stored value. */
function isSame(downloaded: unknown, stored: unknown): boolean {
  if (isTime(downloaded) && isTime(stored)) return Math.abs(Date.parse(downloaded) - Date.parse(stored)) < 2;
  if (typeof stored === 'number') return Number(downloaded) === stored;
  return isDeepStrictEqual(downloaded ?? null, stored ?? null);
}

test('the download has all rows of lists and the referenced rows, with the stored values', async () => {
  const differing: Record<string, string> = {};
  const missing: Record<string, number> = {};
  for (const table of counts.keys()) {
    const downloaded = await rowsIn(complete, table);
    const stored = await old.sql.rows<{ id: string; row: Record<string, unknown> }>(
      `select id, to_jsonb(t) as row from ${table} t`,
    );
    const byId = new Map(stored.map(({ id, row }) => [id, row]));
    if (stored.length > downloaded.length) missing[table] = stored.length - downloaded.length;
    for (const row of downloaded) {
      const original = byId.get(String(row.id)) ?? {};
      for (const [column, value] of Object.entries(row))
        if (!isSame(value, original[column]))
          differing[`${table}.${column}`] = `${JSON.stringify(value)} ≠ ${JSON.stringify(original[column])}`;
    }
  }
  expect({ differing, tables: [...counts.keys()].sort(), incomplete: Object.keys(missing).sort() }).toEqual({
    differing: {},
    tables: [
      'app_user',
      'biography',
      'category',
      'club',
      'favorite',
      'game',
      'game_group',
      'league',
      'league_listing',
      'news_item',
      'news_outlet',
      'notification',
      'platform',
      'pregame',
      'prematch',
      'sponsor',
      'sponsor_image',
      'team',
      'tournament',
      'tournament_referee',
      'user_image',
    ],
    // The old interface does not list all rows of these tables. It omits users to whom no record refers, favorites of some kinds, read
    // notifications, and approved images and biographies.
    incomplete: ['app_user', 'biography', 'favorite', 'game_group', 'notification', 'sponsor_image', 'user_image'],
  });
}, 60_000);

test('an interrupted download continues after the last page, and repeats requests that failed temporarily', async () => {
  const directory = await newDirectory();
  let isBroken = true;
  const proxy = await proxyWith((path, index) => {
    if (index === 3) return [503];
    if (index === 5) return [429, { 'Retry-After': '0' }];
    return isBroken && path.includes('current_page=100') ? [400] : null;
  });
  const source = { url: proxy.url, token: old.platform.platform };
  const error = await downloadRecords(source, directory).catch((reason: unknown) => reason);
  const firstRequests = new Set(proxy.requests.splice(0));
  isBroken = false;
  await downloadRecords(source, directory);
  const [resumed, expected] = [await filesIn(directory), await filesIn(complete)];
  const linesOf = (text: string) => text.split('\n').toSorted();
  const repeated = proxy.requests.filter((path) => firstRequests.has(path));
  proxy.server.closeAllConnections();
  proxy.server.close();
  expect({
    error: String(error),
    resumed: Object.fromEntries(Object.entries(resumed).map(([name, text]) => [name, linesOf(text)])),
    repeated: repeated.length,
  }).toEqual({
    error: expect.stringMatching(
      /^Error: http.*\/v1\/data\/tourney_flat_data\?page_size=25&current_page=100 cannot be read: status 400\.$/,
    ),
    resumed: Object.fromEntries(Object.entries(expected).map(([name, text]) => [name, linesOf(text)])),
    repeated: expect.toSatisfy((count: number) => count <= 8),
  });
}, 60_000);

test('a download gets all rows even if a record is created between the first two pages', async () => {
  let isCreated = false;
  const { server, url, requests } = await proxyWith(async (path) => {
    if (isCreated || !path.includes('/tourney_flat_data?') || !path.endsWith('current_page=2')) return null;
    isCreated = true;
    // The list is ordered by start time, so this tournament moves all later ones to other positions.
    await old.graphql('mutation { createTournament(input: { id: "earliest", startsAt: "1990-01-01T00:00:00Z" }) { id } }');
    return null;
  });
  const downloaded = await downloadRecords({ url, token: old.platform.platform }, await newDirectory());
  server.closeAllConnections();
  server.close();
  await old.graphql('mutation { deleteTournament(id: "earliest") { id } }');
  const pages = requests.filter((path) => path.includes('/tourney_flat_data?')).length;
  expect({ isCreated, tournaments: downloaded.get('tournament'), pages }).toEqual({
    isCreated: true,
    tournaments: counts.get('tournament'),
    // 400 tournaments, with 25 per page and up to 4 pages requested in advance.
    pages: expect.toSatisfy((count: number) => count <= 23),
  });
}, 60_000);

test('a server that returns the same page again is reported, with the path and the parameter', async () => {
  const withoutPages = await proxyWith(
    () => null,
    (path) => path.replace(/&current_page=\d+/, ''),
  );
  const upToFour = await proxyWith(
    () => null,
    (path) => path.replace(/current_page=(\d+)$/, (_, offset) => `current_page=${Math.min(offset, 75)}`),
  );
  const errorFrom = async ({ url }: OldServer) =>
    String(await downloadRecords({ url, token: old.platform.platform }, await newDirectory()).catch((reason: unknown) => reason));
  const errors = { ignored: await errorFrom(withoutPages), limited: await errorFrom(upToFour) };
  for (const { server } of [withoutPages, upToFour]) server.close();
  expect(errors).toEqual({
    ignored: expect.stringMatching(
      /^Error: \/data\/\w+\?page_size=25&current_page=25 returned the records of an earlier page: expected a server that supports current_page\.$/,
    ),
    limited: expect.stringMatching(
      /^Error: \/data\/\w+\?page_size=25&current_page=100 returned the records of an earlier page: expected a server that supports current_page\.$/,
    ),
  });
}, 60_000);

test('a refused token is reported with the URL, without the token', async () => {
  const source = { url: `${old.origin}/v1`, token: 'wrong-token' };
  const error = await downloadRecords(source, await newDirectory()).catch((reason: unknown) => reason);
  expect(String(error)).toMatch(/^Error: http.*\/v1\/\S+ cannot be read: status 401\. Check the token and its permissions\.$/);
});

test('a URL that does not serve the old interface is reported', async () => {
  const error = await downloadRecords({ url: old.origin, token: old.platform.platform }, await newDirectory()).catch(
    (reason: unknown) => reason,
  );
  expect(String(error)).toMatch(/^Error: http:\/\/[\w.:]+\/data\/\w+ does not exist: check the URL, which ends in \/v1\.$/);
});
