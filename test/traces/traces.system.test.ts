import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createGrpcServer } from 'node:http2';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { subgraphUrl } from '../../src/commands/emit.js';
import { startGateway } from '../../src/commands/supergraph/gateway/index.js';
import { portOf } from '../../src/process/port.js';
import { type Person, startApp } from '../support/servers/app.js';
import { runService, type Service, scratchDirectory, startService } from '../support/servers/service-process.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';
import { type Collector, type Span, startCollector } from '../support/servers/trace-collector.js';

// The first test builds the service, and each test starts a separate process.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

/** Node.js option that logs when the process loads the part of the bundle that contains OpenTelemetry. */
const logModules = `--import=data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module';
   registerHooks({ load(url, context, next) { if (url.includes('/parts/traces-')) console.log('loads ' + url); return next(url, context); } });`,
)}`;

const hex = (bytes: number) => randomBytes(bytes).toString('hex');
/** Returns a new trace: its ID, the span ID of the caller, and the headers that carry both. */
const newTrace = () => {
  const [traceId, spanId] = [hex(16), hex(8)];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01`, tracestate: 'caller=here' } };
};

const isRequest = ({ kind }: Span) => kind === 2;
/** Returns the names of the spans that enclose a span, innermost first. */
const ancestorsOf = (spans: readonly Span[], span: Span | undefined): string[] => {
  const parent = spans.find(({ spanId }) => spanId === span?.parentSpanId);
  return parent ? [parent.name, ...ancestorsOf(spans, parent)] : [];
};

let database: Database;
let platform: string;
let admin: Person;
let player: Person;
let collector: Collector;
let service: Service;
const webhookHeaders: IncomingHttpHeaders[] = [];
const smsWebhook = createServer((request, response) => {
  webhookHeaders.push(request.headers);
  response.writeHead(204).end();
});
const secret = 'router-marker-secret';

/** Creates the data for the tests with a temporary app. The app must be closed, because it would send messages itself. */
async function createData(): Promise<void> {
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
  smsWebhook.listen(0, '127.0.0.1');
  await once(smsWebhook, 'listening');
  collector = await startCollector();
  database = await freshDatabase();
  await createData();
  service = await startService({
    DATABASE_URL: database.url,
    SUBGRAPHS: 'checkout,news,tournaments',
    ROUTER_SECRET: secret,
    SMS_WEBHOOK_URL: `http://127.0.0.1:${portOf(smsWebhook)}/`,
    SMS_WEBHOOK_SECRET: 'sms-marker-secret',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
});
afterAll(async () => {
  service.signal('SIGTERM');
  await service.exit;
  await database.drop();
  collector.close();
  smsWebhook.close();
});

const graphql = (url: string, query: string, variables: object, headers: Record<string, string>) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'pb-api-token': platform, ...headers },
    body: JSON.stringify({ query, variables }),
  }).then((response) => response.json());

const teamsQuery =
  'query Teams($first: Int) { teams(first: $first) { nodes { id tournament { title teams { nodes { id } } } } } }';

test('the trace of a caller contains the request, its operation, its batches and their statements', async () => {
  const { traceId, spanId, headers } = newTrace();
  const named = { ...headers, 'apollographql-client-name': 'scoreboard' };
  expect((await graphql(`${service.origin}/graphql`, teamsQuery, { first: 2 }, named)).data.teams.nodes).toHaveLength(2);
  const [request] = await collector.spans(traceId, isRequest);
  const spans = await collector.spans(traceId, () => true);
  const batch = spans.find(({ name }) => name === 'load list of Team by tournamentId');
  const statement = spans.find(({ name, parentSpanId }) => name === 'SELECT team' && parentSpanId === batch?.spanId);
  expect({ name: request?.name, parent: request?.parentSpanId, attributes: request?.attributes }).toEqual({
    name: 'POST /graphql',
    parent: spanId,
    attributes: expect.objectContaining({
      'http.request.method': 'POST',
      'http.route': '/graphql',
      'http.response.status_code': 200,
      'client.name': 'scoreboard',
      'graphql.operation.name': 'Teams',
      'graphql.operation.type': 'query',
    }),
  });
  expect(batch?.attributes).toEqual({ 'courtside.batch.of': 'list of Team by tournamentId', 'courtside.batch.keys': 1 });
  expect({ ancestors: ancestorsOf(spans, statement), attributes: statement?.attributes }).toEqual({
    ancestors: ['load list of Team by tournamentId', 'graphql query', 'POST /graphql'],
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      'db.collection.name': 'team',
      'db.query.text': expect.stringContaining('$1'),
      'db.response.returned_rows': 2,
    },
  });
});

test('a gateway propagates the trace to the requests, operations and batches of each subgraph', async () => {
  const supergraph = readFileSync('schema/supergraph.graphql', 'utf8').replaceAll(
    subgraphUrl(''),
    subgraphUrl('', service.origin),
  );
  const gateway = await startGateway('hive', supergraph, secret, pino({ level: 'silent' }));
  const { traceId, spanId, headers } = newTrace();
  const query = '{ news(first: 1) { totalCount } team(id: "pair") { tournament { title invoices { totalCount } } } }';
  const answer = await graphql(gateway.url, query, {}, headers).finally(gateway.stop);
  expect(answer.data?.team).toEqual({ tournament: { title: 'Austin', invoices: { totalCount: 0 } } });
  const requests = await collector.spans(traceId, isRequest, 3);
  const spans = await collector.spans(traceId, () => true);
  const batch = spans.find(({ name }) => name.startsWith('load count of Invoice'));
  const statement = spans.find(({ parentSpanId }) => parentSpanId === batch?.spanId);
  expect({
    requests: requests.map(({ name }) => name).sort(),
    parents: new Set(requests.map(({ parentSpanId }) => parentSpanId)),
    ancestorsOfStatement: ancestorsOf(spans, statement),
  }).toEqual({
    requests: ['POST /subgraphs/checkout', 'POST /subgraphs/news', 'POST /subgraphs/tournaments'],
    parents: new Set([spanId]),
    ancestorsOfStatement: [batch?.name, 'graphql query', 'POST /subgraphs/checkout'],
  });
});

test('the span of a /v1 request has its route, its request id and its operation', async () => {
  const { traceId, headers } = newTrace();
  const response = await fetch(`${service.origin}/v1/data/teams/path-marker`, {
    headers: { ...headers, 'pb-api-token': platform },
  });
  expect(response.status).toBe(404);
  const [request] = await collector.spans(traceId, isRequest);
  expect({ name: request?.name, isError: request?.isError, attributes: request?.attributes }).toEqual({
    name: 'GET /v1/data/teams/{uuid}',
    isError: false,
    attributes: expect.objectContaining({
      'http.request.id': response.headers.get('x-request-id'),
      'graphql.operation.type': 'query',
    }),
  });
});

test('the webhook of a text message receives the trace of the request that sent it', async () => {
  const { traceId, headers } = newTrace();
  const send = 'mutation ($ids: [ID!]!) { sendLeagueMessage(userIds: $ids, text: "text-marker") { __typename } }';
  expect(await graphql(`${service.origin}/graphql`, send, { ids: [player.id] }, headers)).not.toHaveProperty('errors');
  const [delivery] = await collector.spans(traceId, ({ name }) => name === 'send text');
  await collector.spans(traceId, isRequest);
  const spans = await collector.spans(traceId, () => true);
  const received = webhookHeaders.at(-1);
  expect({
    traceparent: received?.traceparent,
    tracestate: received?.tracestate,
    rootOfDelivery: ancestorsOf(spans, delivery).at(-1),
  }).toEqual({
    traceparent: `00-${traceId}-${delivery?.spanId}-01`,
    tracestate: 'caller=here',
    rootOfDelivery: 'POST /graphql',
  });
});

describe('exported spans contain no private values', () => {
  test('an error is exported with its code as its type', async () => {
    const { traceId, headers } = newTrace();
    const query = 'mutation Wrong { login(input: { email: "mail-marker@example.com", password: "password-marker" }) { token } }';
    await graphql(`${service.origin}/graphql`, query, {}, headers);
    const [operation] = await collector.spans(traceId, ({ name }) => name === 'graphql mutation');
    expect({ isError: operation?.isError, type: operation?.attributes['error.type'] }).toEqual({
      isError: true,
      type: 'INVALID_CREDENTIALS',
    });
  });

  test('values of variables, documents, paths and headers are not exported', async () => {
    const { traceId, headers } = newTrace();
    const write = `mutation Write($title: String!, $id: ID!) {
      upsertTournament(input: { id: $id, title: $title }) { title version }
      updateTournament(id: $id, input: { title: "literal-marker" }) { title }
      deleteTournament(id: $id) { id }
      deleteSponsor(id: $id) { id }
    }`;
    const search =
      'query ($q: String!) { tournaments(filter: { search: $q, title: { contains: "literal-marker" } }) { nodes { id } } }';
    await graphql(
      `${service.origin}/graphql`,
      write,
      { title: 'title-marker', id: 'id-marker' },
      { ...headers, 'pb-user-token': admin.user },
    );
    await graphql(`${service.origin}/graphql?secret=query-marker`, search, { q: 'search-marker' }, headers);
    await fetch(`${service.origin}/v1/data/teams?event_uuid=query-marker`, {
      headers: { ...headers, 'pb-api-token': 'token-marker' },
    });
    await collector.spans(traceId, isRequest, 3);
    const exported = collector.received.map(({ body }) => body.toString()).join('\n');
    const writes = await collector.spans(traceId, ({ name }) => name.startsWith('UPDATE') || name.startsWith('DELETE'));
    expect(writes.map(({ attributes }) => attributes['db.query.text']).join()).toMatch(/tournament/);
    expect([...exported.matchAll(/.{40}-marker.{0,20}/g)].map(([match]) => match)).toEqual([]);
    const has = (value: string) => exported.includes(value);
    expect({
      hasPlatformToken: has(platform),
      hasUserToken: has(admin.user),
      hasDatabasePassword: has(new URL(database.url).password),
    }).toEqual({ hasPlatformToken: false, hasUserToken: false, hasDatabasePassword: false });
  });
});

describe('OpenTelemetry', () => {
  const { traceId, headers } = newTrace();
  let binaryCollector: Collector;
  let outputWithoutCollector: string;
  let outputWithCollector: string;
  beforeAll(async () => {
    binaryCollector = await startCollector();
    const variables = { DATABASE_URL: database.url, SUBGRAPHS: 'none', NODE_OPTIONS: logModules };
    [outputWithoutCollector, outputWithCollector] = await Promise.all([
      serveOnce(variables),
      serveOnce({ ...variables, OTEL_EXPORTER_OTLP_ENDPOINT: binaryCollector.endpoint, OTEL_BSP_SCHEDULE_DELAY: '60000' }),
    ]);
    binaryCollector.close();
  });

  /** Starts a service, sends it a traced request and stops it. Returns its output. */
  async function serveOnce(variables: Record<string, string>): Promise<string> {
    const { origin, signal, exit, output } = await startService(variables);
    await graphql(`${origin}/graphql`, teamsQuery, {}, headers);
    signal('SIGTERM');
    await exit;
    return output();
  }

  test('is loaded only with a collector', () => {
    expect({
      withoutCollector: outputWithoutCollector.includes('loads '),
      withCollector: outputWithCollector.includes('loads '),
    }).toEqual({ withoutCollector: false, withCollector: true });
  });

  test('exports the remaining spans before the process exits', () => {
    expect(binaryCollector.received.map(({ type }) => type)).toEqual(['application/x-protobuf']);
    expect(binaryCollector.received[0]?.body.includes(Buffer.from(traceId, 'hex'))).toBe(true);
  });

  test('exports over gRPC, with headers from a file', async () => {
    const received: { path: string | undefined; body: Buffer }[] = [];
    const apiKeys: unknown[] = [];
    const headersFile = join(await scratchDirectory(), 'headers');
    await writeFile(headersFile, 'api-key=secret-word\n');
    const grpcCollector = createGrpcServer();
    grpcCollector.on('stream', async (stream, { ':path': path, 'api-key': apiKey }) => {
      apiKeys.push(apiKey);
      received.push({ path, body: await buffer(stream) });
      stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      // The frame of an empty gRPC message.
      stream.end(Buffer.alloc(5));
    });
    grpcCollector.listen(0, '127.0.0.1');
    await once(grpcCollector, 'listening');
    const output = await serveOnce({
      DATABASE_URL: database.url,
      SUBGRAPHS: 'none',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${portOf(grpcCollector)}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_HEADERS_FILE: headersFile,
    });
    grpcCollector.close();
    expect(apiKeys).toEqual(['secret-word']);
    expect({
      paths: received.map(({ path }) => path),
      hasTrace: received[0]?.body.includes(Buffer.from(traceId, 'hex')),
      failed: output.includes('traces could not be sent'),
    }).toEqual({
      paths: ['/opentelemetry.proto.collector.trace.v1.TraceService/Export'],
      hasTrace: true,
      failed: false,
    });
  });

  test.each([
    [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /^OTEL_TRACES_SAMPLER must be one of always_on, .*, but is "jaeger_remote"\.$/m],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '10%' },
      /^OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, but is "10%"\.$/m,
    ],
  ])('with %j, the service does not start', async (variables, message) => {
    const { exit, output } = await runService({
      DATABASE_URL: database.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      ...variables,
    });
    expect({ code: await exit, output: output() }).toEqual({ code: 1, output: expect.stringMatching(message) });
  });
});
