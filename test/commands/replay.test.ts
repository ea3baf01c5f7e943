import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replayOptions } from '../../src/commands/replay/options.js';
import { freePort } from '../../src/port.js';
import { runCommand } from '../support/command.js';
import { scratchDirectory } from '../support/service.js';
import { harOf, type RealServer, startServer } from '../support/two-servers.js';

type Reply = (response: ServerResponse) => void;

const json =
  (body: string, status = 200, type = 'application/json'): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body);
const cut: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{"results":');
  setTimeout(() => response.destroy(), 20);
};
const silent: Reply = () => undefined;
let clock = 0;
const moving: Reply = (response) => {
  clock += 1;
  json(`{"total":2,"now":${clock},"by":{"seen":"${clock}"}}`)(response);
};

const teams = '{"uuid":"x","seed":1,"name":"Ana"},{"uuid":"y","seed":2,"name":"Ben"}';
const swapped = '{"uuid":"y","seed":2,"name":"Ben"},{"uuid":"x","seed":1,"name":"Ana"}';

/** What the old one answers, the new one, and what is told of it. */
const planted: Record<string, [old: Reply, now: Reply, told: string | null]> = {
  formats: [
    json('{"results":[{"id":"1","title":"Doubles"}]}'),
    json('{"results":[{"id":"1"}]}'),
    'missing key at results[].title',
  ],
  countries: [json('{"results":[]}'), json('{"results":[],"more":1}'), 'extra key at more'],
  states: [
    json('{"results":[{"id":"1","title":"TX"}]}'),
    json('{"results":[{"id":"1","title":"Texas"}]}'),
    'value at results[].title',
  ],
  currencies: [json('{"results":[{"a":1,"b":2}]}'), json('{"results":[{"b":2,"a":1}]}'), 'key order at results[]'],
  ratings: [json('{"from":3.50}'), json('{"from":3.5}'), 'number form at from'],
  roles: [json('{"totalRecords":"3"}'), json('{"totalRecords":3}'), 'type at totalRecords'],
  timezones: [json(`{"results":[${teams}]}`), json(`{"results":[${swapped}]}`), 'array order at results'],
  pro_levels: [
    json(`{"results":[${teams}]}`),
    json(`{"results":[${teams.slice(0, teams.indexOf('},') + 1)}]}`),
    'array length at results',
  ],
  amenity_types: [json('{"a":1}'), json('{"a": 1}'), 'whitespace'],
  player_groups: [json('{"a":"\\/"}'), json('{"a":"/"}'), 'text form at a'],
  equipment_types: [json('{"results":[]}'), cut, 'no answer'],
  module_types: [json('{"results":[]}'), silent, 'no answer'],
  system_text_numbers: [json('{}'), json('{}', 404), 'status'],
  platforms: [json('{}'), json('{}', 200, 'application/json; charset=utf-8'), 'header at content-type'],
  categories: [json('one', 200, 'text/plain'), json('two', 200, 'text/plain'), 'body'],
  bracket_levels: [moving, json('{"total":2,"now":0,"by":{"seen":"0"}}'), null],
  contact_us_reasons: [json('{"results":[]}'), json('{"results":[]}'), null],
};

const lookup = (name: string) => `/v1/data/lookup_${name}`;
const playing =
  (side: 0 | 1): RequestListener =>
  ({ url = '' }, response) =>
    (planted[url.split('?', 1)[0]?.replace('/v1/data/lookup_', '') ?? '']?.[side] ?? json('{}'))(response);

let old: RealServer;
let now: RealServer;
let directory: string;
beforeAll(async () => {
  [old, now, directory] = await Promise.all([startServer(playing(0)), startServer(playing(1)), scratchDirectory()]);
});
afterAll(() => {
  old.close();
  now.close();
});

let files = 0;

/** Replays these requests; the report is in the file beside. */
async function replay(requests: Parameters<typeof harOf>, args: string[] = [], env: Record<string, string> = {}) {
  files += 1;
  const [file, report] = [join(directory, `${files}.har`), join(directory, `${files}.html`)];
  writeFileSync(file, harOf(...requests));
  for (const { asked } of [old, now]) asked.length = 0;
  const given = [file, '--old', old.origin, '--new', now.origin, '--report', report, ...args];
  const { code, output } = await runCommand('replay', given, env);
  return { code, output, lines: output.trim().split('\n'), report: () => readFileSync(report, 'utf8') };
}

test('every planted difference is told by its route and path, and what the old server never answers twice alike is not', async () => {
  const requests = Object.keys(planted).map((name) => ({ path: `${lookup(name)}?page=1` }));
  const { code, lines, report } = await replay([...requests, { path: lookup('formats') }] as Parameters<typeof harOf>, [
    '--timeout',
    '1',
  ]);
  const told = lines.filter((line) => !/ of 18 requests$/.test(line));
  const differing = Object.entries(planted).filter(([, [, , kind]]) => kind !== null);
  const expected = differing.flatMap(([name, [, , kind]]) => {
    const count = name === 'formats' ? 2 : 1;
    return [`GET ${lookup(name)}: ${count} of ${count} answer${count > 1 ? 's differ' : ' differs'}`, `  ${kind} (${count})`];
  });
  expect(told.toSorted()).toEqual(
    [
      ...expected,
      `GET ${lookup('bracket_levels')}: 1 answer, the same`,
      "  ignored, as the old server's own answers differ: value at now, value at by.seen",
      '18 requests of 17 routes: 16 answers of 15 routes differ.',
      `The report is in ${join(directory, `${files}.html`)}.`,
    ].toSorted(),
  );
  expect([code, old.asked.length, now.asked.length]).toEqual([1, 36, 18]);
  const html = report();
  expect(differing.filter(([name]) => !html.includes(`GET ${lookup(name)}<`))).toEqual([]);
  // What says whose it is is not shown.
  expect([html.includes('Texas'), html.includes('Ana'), /<script|https?:\/\/(?!127\.0\.0\.1)|src=/.test(html)]).toEqual([
    true,
    false,
    false,
  ]);
}, 60_000);

test('answers that are the same end with 0, and lines tell how far it is', async () => {
  const requests = Array.from({ length: 20 }, () => ({ path: lookup('contact_us_reasons') }));
  const { code, lines } = await replay(requests as Parameters<typeof harOf>, ['--rate', '200', '--concurrency', '2']);
  expect([code, lines.length, lines[0], lines.at(-2)]).toEqual([
    0,
    12,
    '2 of 20 requests',
    '20 requests of 1 route: all answers are the same.',
  ]);
});

test('writes are sent with --writes only, once to each, in their order, and GETs that change something are among them', async () => {
  const requests: Parameters<typeof harOf> = [
    { path: lookup('formats') },
    {
      method: 'POST',
      path: '/v1/teams/upsert',
      body: '{"payload": {"seed" : "1.50"}}',
      headers: { 'content-type': 'application/json' },
    },
    { path: '/v1/pub/validate_email/abc' },
    { method: 'DELETE', path: '/v1/teams/x' },
    { method: 'HEAD', path: lookup('formats') },
  ];
  const without = await replay(requests);
  const asked = old.asked.map(({ method }) => method);
  expect([asked.toSorted(), without.lines.filter((line) => /--writes/.test(line))]).toEqual([
    ['GET', 'GET', 'HEAD', 'HEAD'],
    ['3 requests that may change something: not sent without --writes.'],
  ]);
  await replay(requests, ['--writes']);
  const writes = now.asked.filter(({ path }) => path !== lookup('formats')).map(({ method, path, body }) => [method, path, body]);
  expect(writes).toEqual([
    ['POST', '/v1/teams/upsert', '{"payload": {"seed" : "1.50"}}'],
    ['GET', '/v1/pub/validate_email/abc', ''],
    ['DELETE', '/v1/teams/x', ''],
  ]);
  expect(old.asked.filter(({ path }) => path !== lookup('formats')).length).toBe(3);
});

test('tokens are those that were given, by argument or variable, and are told to nobody', async () => {
  const headers = { 'PB-API-TOKEN': 'redacted-platform-1', Authorization: 'Bearer redacted-user-1' };
  const requests: Parameters<typeof harOf> = [
    { path: '/echo', headers },
    { path: '/echo?token=redacted-user-2', headers: { 'PB-API-TOKEN': 'redacted-platform-2' } },
  ];
  const missing = await replay(requests, ['--token', 'user=the-user-token']);
  expect([missing.code, missing.lines, now.asked]).toEqual([
    2,
    ['The file has platform tokens, which it does not tell: give --token platform=….'],
    [],
  ]);
  const given = ['--token', 'user=the-user-token', '--token', 'platform-2=another-platform'];
  const { code, output, report } = await replay(requests, given, { REPLAY_TOKEN_PLATFORM: 'the-platform-token' });
  const sent = now.asked.toSorted((a, b) => a.path.length - b.path.length);
  expect([code, sent.map(({ path, headers }) => [path, headers['pb-api-token'], headers.authorization])]).toEqual([
    0,
    [
      ['/echo', 'the-platform-token', 'Bearer the-user-token'],
      ['/echo?token=the-user-token', 'another-platform', undefined],
    ],
  ]);
  expect(/the-user-token|the-platform-token|another-platform/.test(output + report())).toBe(false);
});

test('servers that are not there are told of, and the end of a file that was killed while it was written is left out', async () => {
  const gone = `http://127.0.0.1:${await freePort()}`;
  const file = join(directory, 'killed.har');
  const entry = JSON.stringify(JSON.parse(harOf({ path: lookup('formats') })).log.entries[0]);
  writeFileSync(
    file,
    `{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[\n${entry}\n,${entry.slice(0, 50)}`,
  );
  const { code, output } = await runCommand('replay', [file, '--old', gone, '--new', gone]);
  expect([code, output.trim().split('\n').slice(1)]).toEqual([
    1,
    [`GET ${lookup('formats')}: 1 of 1 answer differs`, '  no answer (1)', '1 request of 1 route: 1 answer of 1 route differs.'],
  ]);
});

test.each([
  [['no-such.har', '--old', 'http://localhost:1', '--new', 'http://localhost:2'], /^no-such\.har cannot be read/],
  [['package.json', '--old', 'http://localhost:1', '--new', 'http://localhost:2'], /^package\.json is no HAR file: log/],
  [['x.har', '--old', 'http://localhost:1'], /^npm run replay -- <file\.har>/],
])('%o ends with 2', async (args, told) => {
  const { code, output } = await runCommand('replay', args);
  expect([code, output]).toEqual([2, expect.stringMatching(told)]);
});

const servers = ['x.har', '--old', 'http://localhost:1', '--new', 'http://localhost:2'];
test.each([
  [[...servers, '--token', 'nobody=x']],
  [[...servers, '--token', 'platform']],
  [[...servers, '--rate', '0']],
  [[...servers, '--concurrency', 'many']],
  [[...servers, 'y.har']],
  [['--old', 'http://localhost:1', '--new', 'http://localhost:2']],
])('%o is not understood', (args) => expect(replayOptions(args, {})).toBe(null));

test('--only takes routes and paths, with * for anything', () => {
  const wants = (pattern: string) =>
    replayOptions([...servers, '--only', pattern], {})?.wants('GET /v1/data/teams/{uuid}', '/v1/data/teams/x');
  const patterns = [
    'GET /v1/data/teams/{uuid}',
    '/v1/data/*',
    '/v1/data/teams/x',
    'GET *',
    'PUT *',
    '/v1/data',
    '/v1/data/teams/y',
  ];
  expect(patterns.map(wants)).toEqual([true, true, true, true, false, false, false]);
});
