import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { subgraphUrl } from '../../src/commands/emit.js';
import { startGateway } from '../../src/commands/gateway/index.js';
import { portOf } from '../../src/port.js';
import { type Person, startApp } from '../support/app.js';
import { type Collector, type Span, startCollector } from '../support/collector.js';
import { type Database, freshDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

// The first one builds, and each starts a whole process.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

/** Tells every file of OpenTelemetry that the process loads. */
const telling = `--import=data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module';
   registerHooks({ load(url, context, next) { if (url.includes('@opentelemetry/')) console.log('loads ' + url); return next(url, context); } });`,
)}`;

const hex = (bytes: number) => randomBytes(bytes).toString('hex');
/** A caller's trace: its id, the caller's own span, and the header that carries both. */
const caller = () => {
  const [traceId, spanId] = [hex(16), hex(8)];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01`, tracestate: 'caller=here' } };
};

const isRequest = ({ kind }: Span) => kind === 2;
const parentsOf = (spans: readonly Span[], span: Span | undefined): string[] => {
  const parent = spans.find(({ spanId }) => spanId === span?.parentSpanId);
  return parent ? [parent.name, ...parentsOf(spans, parent)] : [];
};

let database: Database;
let platform: string;
let admin: Person;
let player: Person;
let collector: Collector;
let service: Service;
const posted: IncomingHttpHeaders[] = [];
const texts = createServer((request, response) => {
  posted.push(request.headers);
  response.writeHead(204).end();
});
const secret = 'router-marker-secret';

/** Whom and what the tests ask for. What did it is gone before they begin: it would take the messages. */
async function prepare(): Promise<void> {
  const app = await startApp({}, { url: database.url, drop: async () => undefined });
  platform = app.platform.platform;
  admin = await app.person({ isSuperAdmin: true, email: 'admin-marker@example.com' });
  player = await app.person({ phone: '+15125550142' });
  await app.graphql(`mutation {
    a: upsertTournament(input: { id: "open", title: "Austin" }) { id }
    b: upsertTeam(input: { id: "pair", tournamentId: "open" }) { id }
    c: upsertTeam(input: { id: "other", tournamentId: "open" }) { id }
  }`);
  await app.close();
}

beforeAll(async () => {
  texts.listen(0, '127.0.0.1');
  await once(texts, 'listening');
  collector = await startCollector();
  database = await freshDatabase();
  await prepare();
  service = await startService({
    DATABASE_URL: database.url,
    SUBGRAPHS: 'checkout,news,tournaments',
    ROUTER_SECRET: secret,
    SMS_WEBHOOK_URL: `http://127.0.0.1:${portOf(texts)}/`,
    SMS_WEBHOOK_SECRET: 'sms-marker-secret',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
});
afterAll(async () => {
  service.signal('SIGTERM');
  await service.ended;
  await database.drop();
  collector.close();
  texts.close();
});

const ask = (url: string, query: string, variables: object, headers: Record<string, string>) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'pb-api-token': platform, ...headers },
    body: JSON.stringify({ query, variables }),
  }).then((response) => response.json());

const teams = 'query Teams($first: Int) { teams(first: $first) { nodes { id tournament { title teams { nodes { id } } } } } }';

test('a request, its operation, its batches and their statements are one trace, which begins at the caller', async () => {
  const { traceId, spanId, headers } = caller();
  const named = { ...headers, 'apollographql-client-name': 'scoreboard' };
  expect((await ask(`${service.origin}/graphql`, teams, { first: 2 }, named)).data.teams.nodes).toHaveLength(2);
  const [request] = await collector.spans(traceId, isRequest);
  const spans = await collector.spans(traceId, () => true);
  const list = spans.find(({ name }) => name === 'load list of Team by tournamentId');
  const statement = spans.find(({ name, parentSpanId }) => name === 'SELECT team' && parentSpanId === list?.spanId);
  expect([request?.name, request?.parentSpanId, request?.attributes]).toEqual([
    'POST /graphql',
    spanId,
    expect.objectContaining({
      'http.request.method': 'POST',
      'http.route': '/graphql',
      'http.response.status_code': 200,
      'client.name': 'scoreboard',
      'graphql.operation.name': 'Teams',
      'graphql.operation.type': 'query',
    }),
  ]);
  expect([list?.attributes, parentsOf(spans, statement)]).toEqual([
    { 'courtside.batch.of': 'list of Team by tournamentId', 'courtside.batch.keys': 1 },
    ['load list of Team by tournamentId', 'graphql query', 'POST /graphql'],
  ]);
  expect(statement?.attributes).toEqual({
    'db.system.name': 'postgresql',
    'db.operation.name': 'SELECT',
    'db.collection.name': 'team',
    'db.query.text': expect.stringContaining('$1'),
    'db.response.returned_rows': 2,
  });
});

test('a gateway passes the trace on: request, operation and batches of each subgraph are in it', async () => {
  const supergraph = readFileSync('schema/supergraph.graphql', 'utf8').replaceAll(
    subgraphUrl(''),
    subgraphUrl('', service.origin),
  );
  const gateway = await startGateway('hive', supergraph, secret, pino({ level: 'silent' }));
  const { traceId, spanId, headers } = caller();
  const query = '{ news(first: 1) { totalCount } team(id: "pair") { tournament { title invoices { totalCount } } } }';
  const answer = await ask(gateway.url, query, {}, headers).finally(gateway.stop);
  expect(answer.data?.team).toEqual({ tournament: { title: 'Austin', invoices: { totalCount: 0 } } });
  const requests = await collector.spans(traceId, isRequest, 3);
  const spans = await collector.spans(traceId, () => true);
  const counted = spans.find(({ name }) => name.startsWith('load count of Invoice'));
  const statement = spans.find(({ parentSpanId }) => parentSpanId === counted?.spanId);
  expect([
    requests.map(({ name }) => name).sort(),
    new Set(requests.map(({ parentSpanId }) => parentSpanId)),
    parentsOf(spans, statement),
  ]).toEqual([
    ['POST /subgraphs/checkout', 'POST /subgraphs/news', 'POST /subgraphs/tournaments'],
    new Set([spanId]),
    [counted?.name, 'graphql query', 'POST /subgraphs/checkout'],
  ]);
});

test('a request of /v1 has the pattern of its path, its id, and the operation that it runs', async () => {
  const { traceId, headers } = caller();
  const answer = await fetch(`${service.origin}/v1/data/teams/path-marker`, {
    headers: { ...headers, 'pb-api-token': platform },
  });
  const [request] = await collector.spans(traceId, isRequest);
  expect([answer.status, request?.name, request?.isError, request?.attributes]).toEqual([
    404,
    'GET /v1/data/teams/{uuid}',
    false,
    expect.objectContaining({
      'http.request.id': answer.headers.get('x-request-id'),
      'graphql.operation.type': 'query',
    }),
  ]);
});

test('a text message carries the trace of the request that caused it to the webhook', async () => {
  const { traceId, headers } = caller();
  const send = 'mutation ($ids: [ID!]!) { sendLeagueMessage(userIds: $ids, text: "text-marker") { __typename } }';
  expect(await ask(`${service.origin}/graphql`, send, { ids: [player.id] }, headers)).not.toHaveProperty('errors');
  const [sent] = await collector.spans(traceId, ({ name }) => name === 'send text');
  await collector.spans(traceId, isRequest);
  const spans = await collector.spans(traceId, () => true);
  expect([posted.at(-1)?.traceparent, posted.at(-1)?.tracestate, parentsOf(spans, sent).at(-1)]).toEqual([
    `00-${traceId}-${sent?.spanId}-01`,
    'caller=here',
    'POST /graphql',
  ]);
});

describe('what must not leave', () => {
  test('errors are told by their kinds', async () => {
    const { traceId, headers } = caller();
    const query = 'mutation Wrong { login(input: { email: "mail-marker@example.com", password: "password-marker" }) { token } }';
    await ask(`${service.origin}/graphql`, query, {}, headers);
    const [operation] = await collector.spans(traceId, ({ name }) => name === 'graphql mutation');
    expect([operation?.isError, operation?.attributes['error.type']]).toEqual([true, 'INVALID_CREDENTIALS']);
  });

  test('no value of a variable, a document, a path or a header is in anything that was sent', async () => {
    const { traceId, headers } = caller();
    const write = `mutation Write($title: String!, $id: ID!) {
      upsertTournament(input: { id: $id, title: $title }) { title version }
      updateTournament(id: $id, input: { title: "literal-marker" }) { title }
      deleteTournament(id: $id) { id }
      deleteSponsor(id: $id) { id }
    }`;
    const search =
      'query ($q: String!) { tournaments(filter: { search: $q, title: { contains: "literal-marker" } }) { nodes { id } } }';
    await ask(
      `${service.origin}/graphql`,
      write,
      { title: 'title-marker', id: 'id-marker' },
      { ...headers, 'pb-user-token': admin.user },
    );
    await ask(`${service.origin}/graphql?secret=query-marker`, search, { q: 'search-marker' }, headers);
    await fetch(`${service.origin}/v1/data/teams?event_uuid=query-marker`, {
      headers: { ...headers, 'pb-api-token': 'token-marker' },
    });
    await collector.spans(traceId, isRequest, 3);
    const sent = collector.received.map(({ body }) => body.toString()).join('\n');
    const written = await collector.spans(traceId, ({ name }) => name.startsWith('UPDATE') || name.startsWith('DELETE'));
    expect(written.map(({ attributes }) => attributes['db.query.text']).join()).toMatch(/tournament/);
    expect([...sent.matchAll(/.{40}-marker.{0,20}/g)].map(([found]) => found)).toEqual([]);
    expect([platform, admin.user, new URL(database.url).password].filter((value) => sent.includes(value))).toEqual([]);
  });
});

test('without a collector nothing of OpenTelemetry is loaded, and with one what is left is sent at the end', async () => {
  const binary = await startCollector();
  const usual = { DATABASE_URL: database.url, SUBGRAPHS: 'none', NODE_OPTIONS: telling };
  const [quiet, other] = await Promise.all([
    startService(usual),
    startService({ ...usual, OTEL_EXPORTER_OTLP_ENDPOINT: binary.endpoint, OTEL_BSP_SCHEDULE_DELAY: '60000' }),
  ]);
  const { traceId, headers } = caller();
  for (const { origin } of [quiet, other]) await ask(`${origin}/graphql`, teams, {}, headers);
  for (const { signal } of [quiet, other]) signal('SIGTERM');
  await Promise.all([quiet.ended, other.ended]);
  binary.close();
  expect([quiet.output().includes('loads '), other.output().includes('loads '), binary.received.map(({ type }) => type)]).toEqual(
    [false, true, ['application/x-protobuf']],
  );
  expect(binary.received[0]?.body.includes(Buffer.from(traceId, 'hex'))).toBe(true);
});
