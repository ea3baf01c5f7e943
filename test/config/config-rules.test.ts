import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { loadConfig, variables } from '../../src/config/index.js';
import { modules } from '../../src/modules/index.js';
import { moduleNames } from '../../src/modules/module-names.js';
import { problemsOf } from '../support/fixtures/configuration.js';

test('a router secret enables all subgraphs by default, and SUBGRAPHS can disable them', () => {
  expect({
    withSecret: loadConfig({ ROUTER_SECRET: 'router' }).subgraphs,
    withNoneRequested: loadConfig({ SUBGRAPHS: 'none', GRAPH: 'off' }).subgraphs,
  }).toEqual({ withSecret: 'all', withNoneRequested: 'none' });
});

test('rejects subgraphs without a router secret', () => {
  const problem = 'ROUTER_SECRET must be set too when SUBGRAPHS is set: subgraphs require it.';
  expect({
    allSubgraphs: problemsOf({ SUBGRAPHS: 'all' }),
    emptySecret: problemsOf({ SUBGRAPHS: 'news', ROUTER_SECRET: '' }),
    graphOff: problemsOf({ GRAPH: 'off' }),
  }).toEqual({
    allSubgraphs: [problem],
    emptySecret: [problem],
    graphOff: ['ROUTER_SECRET must be set too when GRAPH is off, unless SUBGRAPHS is none.'],
  });
});

test('moduleNames lists all modules', () => {
  expect(modules.map(({ name }) => name)).toEqual(moduleNames);
});

test.each([',', 'router,', 'router, ,next', 'router,router'])('rejects ROUTER_SECRET %j', (secrets) => {
  expect(problemsOf({ ROUTER_SECRET: secrets })).toEqual([
    'ROUTER_SECRET must be comma-separated secrets, without empty or duplicate ones.',
  ]);
});

test('every variable has a description', () => {
  expect(variables.filter(({ description }) => description === '')).toEqual([]);
});

test('workers share the connections of DATABASE_POOL', () => {
  const poolOf = (env: Record<string, string>) => {
    const { workers, databasePool } = loadConfig(env);
    return { workers, databasePool };
  };
  expect({
    defaultPool: poolOf({ WORKERS: '4' }),
    pool30: poolOf({ WORKERS: '4', DATABASE_POOL: '30' }),
    oneWorker: poolOf({ WORKERS: '1', DATABASE_POOL: '30' }),
    autoWorkers: poolOf({ WORKERS: 'auto' }).workers,
  }).toEqual({
    defaultPool: { workers: 4, databasePool: 6 },
    pool30: { workers: 4, databasePool: 7 },
    oneWorker: { workers: 1, databasePool: 30 },
    autoWorkers: Math.min(availableParallelism(), 64),
  });
});

test('rejects fewer than two connections for each worker, and invalid worker counts', () => {
  expect({
    poolTooSmall: problemsOf({ WORKERS: '4', DATABASE_POOL: '7' }),
    noWorkers: problemsOf({ WORKERS: '0' }),
    notNumeric: problemsOf({ WORKERS: 'all' }),
  }).toEqual({
    poolTooSmall: ['DATABASE_POOL must be at least 8: 2 connections for each of the 4 WORKERS.'],
    noWorkers: ['WORKERS must be auto, or a whole number from 1 to 64.'],
    notNumeric: ['WORKERS must be auto, or a whole number from 1 to 64.'],
  });
});

test.each([
  ['postgresql:///courtside', false],
  ['postgresql:///courtside?host=', false],
  ['postgresql://:5432/courtside', false],
  ['postgresql://user:pass@/courtside', false],
  ['postgresql://user:p%@ss@db:5432/courtside/?#', true],
  ['postgresql:///courtside?host=/var/run/postgresql', true],
])('DATABASE_URL %s names a host: %s', (url, namesHost) =>
  expect(problemsOf({ DATABASE_URL: url })).toEqual(
    namesHost
      ? []
      : [
          'DATABASE_URL must contain a host, as in postgresql://user:password@host:5432/database, with special characters percent-encoded.',
        ],
  ),
);

test.each([
  ['postgres://u:p@one,two/courtside', null],
  ['postgres://u:p@one:5432,[::1]:5433/courtside?target_session_attrs=read-write', null],
  ['postgres://u:p@one,/courtside', 'must have hosts such as one.example:5432,two.example:5432, but has ""'],
  ['postgres://u:p@one:x,two/courtside', 'must have hosts such as one.example:5432,two.example:5432, but has "one:x"'],
  [
    'postgres://u:p@one,two/courtside?target_session_attrs=standby',
    'must set target_session_attrs to read-write or primary, or omit it, because the service writes to the database',
  ],
])('DATABASE_URL %s with several hosts: %s', (url, problem) =>
  expect(problemsOf({ DATABASE_URL: url })).toEqual(problem === null ? [] : [`DATABASE_URL ${problem}.`]),
);

test('catches unsent emails in development with the embedded database or demo data, and never in production', () => {
  const catches = (variables: Record<string, string>) => loadConfig(variables).catchUnsent;
  const DATABASE_URL = 'postgres://u:p@db/courtside';
  expect({
    embedded: catches({}),
    database: catches({ DATABASE_URL }),
    demo: catches({ DATABASE_URL, DEMO: 'true' }),
    production: catches({ DATABASE_URL, NODE_ENV: 'production' }),
  }).toEqual({ embedded: true, database: false, demo: true, production: false });
});

describe('MAIL_FROM', () => {
  test.each<[string, string]>([
    ['no-reply@play.example', 'no-reply@play.example'],
    ['Play <no-reply@play.example>', 'no-reply@play.example'],
    ['"Play, Inc." <no-reply@play.example>', 'no-reply@play.example'],
    ['<no-reply@localhost>', 'no-reply@localhost'],
  ])('accepts %s', (value, contactEmail) => {
    const config = loadConfig({ MAIL_FROM: value });
    expect({ mailFrom: config.mailFrom, contactEmail: config.contactEmail }).toEqual({ mailFrom: value, contactEmail });
  });

  test.each([
    'Play',
    'Play <no-reply>',
    'Play no-reply@play.example',
    'Play, Inc. <a@b.example>',
    'a@b.example, c@d.example',
    'a@b.example\nBcc: c@d.example',
  ])('rejects %j', (value) =>
    expect(problemsOf({ MAIL_FROM: value })).toEqual([
      'MAIL_FROM must be an email address, or a name and an address such as "Courtside <no-reply@example.com>".',
    ]),
  );
});

test('the metrics ports of all workers are valid and differ from PORT', () => {
  expect({
    lastPort: problemsOf({ METRICS_PORT: '65534', WORKERS: '2' }),
    tooHigh: problemsOf({ METRICS_PORT: '65535', WORKERS: '2' }),
    same: problemsOf({ METRICS_PORT: '4000' }),
    inRange: problemsOf({ METRICS_PORT: '9464', WORKERS: '4', PORT: '9467' }),
    afterRange: problemsOf({ METRICS_PORT: '9464', WORKERS: '4', PORT: '9468' }),
    beforeRange: problemsOf({ METRICS_PORT: '9464', WORKERS: '4', PORT: '9463' }),
    freePort: problemsOf({ METRICS_PORT: '9464', PORT: '0' }),
  }).toEqual({
    lastPort: [],
    tooHigh: ['METRICS_PORT must be at most 65534, because the 2 WORKERS use METRICS_PORT and the next ports.'],
    same: ['METRICS_PORT is 4000, but PORT is 4000: set METRICS_PORT or PORT to another port.'],
    inRange: [
      'METRICS_PORT and the next ports for the WORKERS are 9464 to 9467, but PORT is 9467: set METRICS_PORT or PORT to another port.',
    ],
    afterRange: [],
    beforeRange: [],
    freePort: [],
  });
});

const portProblem = 'must have a port from 1 to 65535';
const encodingProblem =
  'must contain a host, as in postgresql://user:password@host:5432/database, with special characters percent-encoded';

test.each([
  ['postgresql://u:p@db:99999/courtside', portProblem],
  ['postgresql://u:p@db:abc/courtside', portProblem],
  ['postgresql://u:p@[::1]:0/courtside', portProblem],
  ['postgresql://db:-1', portProblem],
  ['postgresql://u:p@db/courtside?port=abc', portProblem],
  ['postgresql://u:p@one:99999,two/courtside', 'must have hosts such as one.example:5432,two.example:5432, but has "one:99999"'],
  ['postgresql://user:pass/word@db:5432/courtside', encodingProblem],
  ['postgresql://user:pass#word@db:5432/courtside', encodingProblem],
])('DATABASE_URL %s is rejected: %s', (url, problem) =>
  expect(problemsOf({ DATABASE_URL: url })).toEqual([`DATABASE_URL ${problem}.`]),
);

/** Variables with URLs, each with the variables that it requires. */
const urlVariables: Record<string, { scheme: string; others?: Record<string, string> }> = {
  PUBLIC_URL: { scheme: 'https' },
  SMTP_URL: { scheme: 'smtp' },
  SMS_WEBHOOK_URL: { scheme: 'https', others: { SMS_WEBHOOK_SECRET: 'secret' } },
  SHADOW_UPSTREAM: { scheme: 'http' },
  ROUTER_CALLBACKS: { scheme: 'http' },
  OTEL_EXPORTER_OTLP_ENDPOINT: { scheme: 'http' },
};

test.each(Object.entries(urlVariables))('%s must be a valid URL', (name, { scheme, others = {} }) => {
  const problemsOfUrl = (rest: string) => problemsOf({ ...others, [name]: `${scheme}://${rest}` });
  expect({
    valid: problemsOfUrl('user:p%40ss@play.example:8080/path'),
    port: problemsOfUrl('play.example:99999'),
    portText: problemsOfUrl('user:password@play.example:port/'),
    space: problemsOfUrl('play.example/a b'),
    percent: problemsOfUrl('play.example%'),
  }).toEqual({
    valid: [],
    port: [`${name} ${portProblem}.`],
    portText: [`${name} ${portProblem}.`],
    space: [`${name} must not contain spaces.`],
    percent: [`${name} must be a valid URL, with special characters percent-encoded.`],
  });
});

test.each(['PUBLIC_URL', 'SHADOW_UPSTREAM', 'ROUTER_CALLBACKS'])('%s must not have a query or a fragment', (name) => {
  const problems = [`${name} must not have a query or a fragment, because paths are appended to it.`];
  expect({
    query: problemsOf({ [name]: 'https://play.example/?page=1' }),
    fragment: problemsOf({ [name]: 'https://play.example#top' }),
  }).toEqual({ query: problems, fragment: problems });
});

test.each(['HOST', 'DATA_DIR', 'BOOTSTRAP_PLATFORM_TOKEN', 'TRUSTED_DOCUMENTS', 'OTEL_SERVICE_NAME'])(
  '%s must not start or end with spaces',
  (name) => {
    const problems = [`${name} must not start or end with spaces.`];
    expect({ blank: problemsOf({ [name]: ' ' }), newline: problemsOf({ [name]: 'value\n' }) }).toEqual({
      blank: problems,
      newline: problems,
    });
  },
);
