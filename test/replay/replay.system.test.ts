import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../src/process/command.js';
import { freePort } from '../../src/process/port.js';
import { replayOptions } from '../../src/replay/run/options.js';
import { runCommand } from '../support/servers/command-process.js';
import { harOf, type RealServer, startServer } from '../support/servers/recording-server.js';
import { scratchDirectory } from '../support/servers/service-process.js';

type Reply = (response: ServerResponse) => void;

const json =
  (body: string, status = 200, type = 'application/json'): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body);
const truncate: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{"results":');
  setTimeout(() => response.destroy(), 20);
};
const never: Reply = () => undefined;
let replyCount = 0;
const varying: Reply = (response) => {
  replyCount += 1;
  json(`{"total":2,"now":${replyCount},"by":{"seen":"${replyCount}"}}`)(response);
};

const teams = '{"uuid":"x","seed":1,"name":"Ana"},{"uuid":"y","seed":2,"name":"Ben"}';
const swapped = '{"uuid":"y","seed":2,"name":"Ben"},{"uuid":"x","seed":1,"name":"Ana"}';

/** Replies of the old and the new server and the difference that a replay reports, keyed by lookup. */
const planted: Record<string, [oldReply: Reply, newReply: Reply, difference: string | null]> = {
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
  equipment_types: [json('{"results":[]}'), truncate, 'no answer'],
  module_types: [json('{"results":[]}'), never, 'no answer'],
  system_text_numbers: [json('{}'), json('{}', 404), 'status'],
  platforms: [json('{}'), json('{}', 200, 'application/json; charset=utf-8'), 'header at content-type'],
  categories: [json('one', 200, 'text/plain'), json('two', 200, 'text/plain'), 'body'],
  bracket_levels: [varying, json('{"total":2,"now":0,"by":{"seen":"0"}}'), null],
  contact_us_reasons: [json('{"results":[]}'), json('{"results":[]}'), null],
};

const lookup = (name: string) => `/v1/data/lookup_${name}`;
const replyFrom =
  (side: 0 | 1): RequestListener =>
  ({ url = '' }, response) =>
    (planted[url.split('?', 1)[0]?.replace('/v1/data/lookup_', '') ?? '']?.[side] ?? json('{}'))(response);

let oldServer: RealServer;
let newServer: RealServer;
let directory: string;
beforeAll(async () => {
  [oldServer, newServer, directory] = await Promise.all([
    startServer(replyFrom(0)),
    startServer(replyFrom(1)),
    scratchDirectory(),
  ]);
});
afterAll(() => {
  oldServer.close();
  newServer.close();
});

let fileCount = 0;

/** Writes requests to a new HAR file and replays them. The report is written to the same directory. */
async function replay(requests: Parameters<typeof harOf>, args: string[] = [], env: Record<string, string> = {}) {
  fileCount += 1;
  const [file, reportFile] = [join(directory, `${fileCount}.har`), join(directory, `${fileCount}.html`)];
  writeFileSync(file, harOf(...requests));
  for (const server of [oldServer, newServer]) server.requests.length = 0;
  const allArgs = [file, '--old', oldServer.origin, '--new', newServer.origin, '--report', reportFile, ...args];
  const { code, output } = await runCommand('replay', allArgs, env);
  return { code, output, lines: output.trim().split('\n'), reportFile, report: () => readFileSync(reportFile, 'utf8') };
}

test('reports every planted difference by route and path, except where responses of the old server also differ', async () => {
  const requests = Object.keys(planted).map((name) => ({ path: `${lookup(name)}?page=1` }));
  const allRequests = [...requests, { path: lookup('formats') }] as Parameters<typeof harOf>;
  const { code, lines, report, reportFile } = await replay(allRequests, ['--timeout', '1']);
  const differing = Object.entries(planted).filter(([, [, , difference]]) => difference !== null);
  const differences = differing.flatMap(([name, [, , difference]]) => {
    const count = name === 'formats' ? 2 : 1;
    return [
      `GET ${lookup(name)}: ${count} of ${count} response${count > 1 ? 's differ' : ' differs'}`,
      `  ${difference} (${count})`,
    ];
  });
  expect(lines.filter((line) => !/ of 18 requests$/.test(line)).toSorted()).toEqual(
    [
      ...differences,
      `GET ${lookup('bracket_levels')}: 1 response, no differences`,
      '  ignored, because responses of the old server also differ: value at now, value at by.seen',
      '18 requests to 17 routes: 16 responses from 15 routes differ.',
      `Wrote the report to ${reportFile}.`,
    ].toSorted(),
  );
  expect({ code, oldRequests: oldServer.requests.length, newRequests: newServer.requests.length }).toEqual({
    code: 1,
    oldRequests: 36,
    newRequests: 18,
  });
  const html = report();
  expect(differing.filter(([name]) => !html.includes(`GET ${lookup(name)}<`))).toEqual([]);
  expect({
    hasPublicValue: html.includes('Texas'),
    hasPersonalValue: html.includes('Ana'),
    loadsResources: /<script|https?:\/\/(?!127\.0\.0\.1)|src=/.test(html),
  }).toEqual({ hasPublicValue: true, hasPersonalValue: false, loadsResources: false });
}, 60_000);

test('identical responses exit with code 0, and lines report the progress', async () => {
  const requests = Array.from({ length: 20 }, () => ({ path: lookup('contact_us_reasons') }));
  const { code, lines } = await replay(requests as Parameters<typeof harOf>, ['--rate', '200', '--concurrency', '2']);
  expect({ code, lineCount: lines.length, firstLine: lines[0], summary: lines.at(-2) }).toEqual({
    code: 0,
    lineCount: 12,
    firstLine: '2 of 20 requests',
    summary: '20 requests to 1 route: all responses are the same.',
  });
});

test('counts the responses with another status than recorded, and exits with code 1 if all statuses differ', async () => {
  const path = lookup('system_text_numbers');
  const equal = lookup('formats_list');
  const summaryOf = async (...statuses: number[]) => {
    const { code, lines, report } = await replay(statuses.map((status) => ({ path: equal, status })) as Parameters<typeof harOf>);
    const line = lines.at(-2) ?? '';
    return { code, line, inReport: report().includes(line) };
  };
  const different = await replay([
    { path: equal, status: 200 },
    { path, status: 401 },
  ]);
  expect({
    all: await summaryOf(401, 401, 403),
    some: await summaryOf(200, 401, 304),
    none: await summaryOf(200, 200),
    different: { code: different.code, line: different.lines.at(-2) },
  }).toEqual({
    all: {
      code: 1,
      line: '3 of 3 responses differ in status from the recording, on both servers (200 instead of 401: 2, 200 instead of 403: 1).',
      inReport: true,
    },
    some: {
      code: 0,
      line: '1 of 2 responses differs in status from the recording, on both servers (200 instead of 401: 1).',
      inReport: true,
    },
    none: { code: 0, line: '2 requests to 1 route: all responses are the same.', inReport: true },
    different: { code: 1, line: '2 requests to 2 routes: 1 response from 1 route differs.' },
  });
});

describe('writes, including GET requests that change data', () => {
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

  test('are not sent without --writes', async () => {
    const { lines } = await replay(requests);
    expect({
      methods: oldServer.requests.map(({ method }) => method).toSorted(),
      message: lines.filter((line) => /--writes/.test(line)),
    }).toEqual({
      methods: ['GET', 'GET', 'HEAD', 'HEAD'],
      message: ['Skipped 3 requests that may change data: add --writes to send them.'],
    });
  });

  test('are sent in order and once to each server with --writes', async () => {
    await replay(requests, ['--writes']);
    const writesTo = (server: RealServer) => server.requests.filter(({ path }) => path !== lookup('formats'));
    expect(writesTo(newServer).map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      { method: 'POST', path: '/v1/teams/upsert', body: '{"payload": {"seed" : "1.50"}}' },
      { method: 'GET', path: '/v1/pub/validate_email/abc', body: '' },
      { method: 'DELETE', path: '/v1/teams/x', body: '' },
    ]);
    expect(writesTo(oldServer)).toHaveLength(3);
  });
});

describe('the tokens of a recording', () => {
  const requests: Parameters<typeof harOf> = [
    { path: '/echo', headers: { 'PB-API-TOKEN': 'redacted-platform-1', Authorization: 'Bearer redacted-user-1' } },
    { path: '/echo?token=redacted-user-2', headers: { 'PB-API-TOKEN': 'redacted-platform-2' } },
  ];

  test('must all be provided', async () => {
    const { code, lines } = await replay(requests, ['--token', 'user=the-user-token']);
    expect({ code, lines, requests: newServer.requests }).toEqual({
      code: 2,
      lines: ['The recording contains pseudonyms instead of platform tokens: add --token platform=….'],
      requests: [],
    });
  });

  test('are replaced by tokens from arguments and variables, which are not printed', async () => {
    const args = ['--token', 'user=the-user-token', '--token', 'platform-2=another-platform'];
    const { code, output, report } = await replay(requests, args, { REPLAY_TOKEN_PLATFORM: 'the-platform-token' });
    const sentTokens = newServer.requests
      .toSorted((a, b) => a.path.length - b.path.length)
      .map(({ path, headers }) => ({ path, platform: headers['pb-api-token'], authorization: headers.authorization }));
    expect({ code, sent: sentTokens }).toEqual({
      code: 0,
      sent: [
        { path: '/echo', platform: 'the-platform-token', authorization: 'Bearer the-user-token' },
        { path: '/echo?token=the-user-token', platform: 'another-platform', authorization: undefined },
      ],
    });
    expect(output + report()).not.toMatch(/the-user-token|the-platform-token|another-platform/);
  });
});

test('ignores the incomplete last entry of a file, and reports a server that closes each connection', async () => {
  const server = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closing = `http://127.0.0.1:${Object(server.address()).port}`;
  const file = join(directory, 'incomplete.har');
  const entry = JSON.stringify(JSON.parse(harOf({ path: lookup('formats') })).log.entries[0]);
  writeFileSync(
    file,
    `{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[\n${entry}\n,${entry.slice(0, 50)}`,
  );
  const { code, output } = await runCommand('replay', [file, '--old', closing, '--new', closing]);
  const unreachable = `http://127.0.0.1:${await freePort()}`;
  const refused = await runCommand('replay', [file, '--old', closing, '--new', unreachable]);
  server.close();
  expect({ code, lines: output.trim().split('\n').slice(1), refused }).toEqual({
    code: 1,
    lines: [
      `GET ${lookup('formats')}: 1 of 1 response differs`,
      '  no answer (1)',
      '1 request to 1 route: 1 response from 1 route differs.',
    ],
    refused: { code: 2, output: `--new: ${unreachable} refused the connection.\n` },
  });
});

test.each([
  [['no-such.har', '--old', 'http://localhost:1', '--new', 'http://localhost:2'], /^no-such\.har cannot be read/],
  [['package.json', '--old', 'http://localhost:1', '--new', 'http://localhost:2'], /^package\.json is not a HAR file: log/],
  [['x.har', '--old', 'http://localhost:1'], /^--new: expected a URL[\s\S]*Usage: courtside replay <file\.har>/],
])('%j exits with code 2', async (args, message) => {
  const { code, output } = await runCommand('replay', args);
  expect({ code, output }).toEqual({ code: 2, output: expect.stringMatching(message) });
});

const servers = ['x.har', '--old', 'http://localhost:1', '--new', 'http://localhost:2'];
test.each([
  [[...servers, '--token', 'nobody=x']],
  [[...servers, '--token', 'platform']],
  [[...servers, '--rate', '0']],
  [[...servers, '--concurrency', 'many']],
  [[...servers, 'y.har']],
  [['--old', 'http://localhost:1', '--new', 'http://localhost:2']],
])('rejects the arguments %j', (args) => expect(() => replayOptions(args, {})).toThrow(UsageError));

test.each([
  ['GET /v1/data/teams/{uuid}', true],
  ['/v1/data/*', true],
  ['/v1/data/teams/x', true],
  ['GET *', true],
  ['PUT *', false],
  ['/v1/data', false],
  ['/v1/data/teams/y', false],
])('--only %j for GET /v1/data/teams/x is %j', (pattern, isSelected) => {
  const options = replayOptions([...servers, '--only', pattern], {});
  expect(options.isSelected('GET /v1/data/teams/{uuid}', '/v1/data/teams/x')).toBe(isSelected);
});
