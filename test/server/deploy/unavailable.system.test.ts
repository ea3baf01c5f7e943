import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort, portOf } from '../../../src/process/port.js';
import { requires } from '../../support/prerequisites.js';
import { startPostgres } from '../../support/servers/crashable-postgres.js';
import { missingBalancer, oldBalancer, startHaProxy, startPgBouncer } from '../../support/servers/load-balancer.js';
import { scratchDirectory, startService } from '../../support/servers/service-process.js';

type Balancer = Awaited<ReturnType<typeof startHaProxy>>;

async function errorOf(response: Response) {
  const { status, headers } = response;
  return {
    status,
    type: headers.get('content-type'),
    retryAfter: headers.get('retry-after'),
    requestId: headers.get('x-request-id'),
    body: await response.json(),
  };
}

const legacyError = (status: number, message: string) => ({
  status,
  type: 'application/json; charset=utf-8',
  retryAfter: '5',
  requestId: expect.stringMatching(/^\d{16}$/),
  body: { Code: status, Message: message, Timestamp: expect.any(Number), RequestId: expect.any(Number) },
});

const graphError = (status: number, message: string, type = 'application/json') => ({
  status,
  type: `${type}; charset=utf-8`,
  retryAfter: '5',
  requestId: expect.stringMatching(/^\d{16}$/),
  body: { errors: [{ message, extensions: { code: 'UNAVAILABLE', retryAfter: 5 } }] },
});

/** Errors of HAProxy, and their codes in GraphQL. HAProxy itself sends 403, 413 and 429 only because of additional rules. */
const refusals: readonly (readonly [status: number, message: string, code: string])[] = [
  [400, 'expected a request in HTTP/1.1', 'BAD_INPUT'],
  [403, 'the request is forbidden', 'FORBIDDEN'],
  [408, 'the request did not arrive in time', 'BAD_INPUT'],
  [413, 'the request is too large', 'TOO_LARGE'],
  [429, 'too many requests', 'RATE_LIMITED'],
  [500, 'internal error', 'INTERNAL'],
];

const post = (url: string, headers: Record<string, string> = {}) => fetch(url, { method: 'POST', body: '{}', headers });

describe('HAProxy without a running service', requires(missingBalancer), () => {
  let balancer: Balancer;
  beforeAll(async () => {
    const [one, two] = [await freePort(), await freePort()];
    const rules = refusals.map(([status]) => `http-request deny deny_status ${status} if { path_end /${status} }`);
    balancer = await startHaProxy(`http://127.0.0.1:${one}`, `http://127.0.0.1:${two}`, rules);
    await vi.waitUntil(async () => !(await balancer.isUp('one')) && !(await balancer.isUp('two')), 15_000);
  });
  afterAll(() => balancer.stop());

  test('responds to `/v1` with the error format of `/v1`', async () => {
    const error = await errorOf(await fetch(`${balancer.origin}/v1/data/teams`));
    expect(error).toEqual(legacyError(503, 'the service is unavailable'));
    expect(error.requestId).toBe(String(error.body.RequestId));
  });

  test('responds to `/graphql` and the subgraphs with a GraphQL error', async () => {
    const graphType = 'application/graphql-response+json';
    expect({
      withoutAccept: await errorOf(await post(`${balancer.origin}/graphql`)),
      withAccept: await errorOf(await post(`${balancer.origin}/graphql`, { accept: `${graphType}, application/json;q=0.9` })),
      subgraph: await errorOf(await post(`${balancer.origin}/subgraphs/news`)),
    }).toEqual({
      withoutAccept: graphError(503, 'the service is unavailable'),
      withAccept: graphError(503, 'the service is unavailable', graphType),
      subgraph: graphError(503, 'the service is unavailable'),
    });
  });

  test.each(refusals)('responds with JSON to a request that it refuses with %i', async (status, message, code) => {
    const retryAfter = status === 429 ? { header: '5', extension: { retryAfter: 5 } } : { header: null, extension: {} };
    const graph = await errorOf(await post(`${balancer.origin}/subgraphs/${status}`));
    expect({ legacy: await errorOf(await fetch(`${balancer.origin}/v1/${status}`)), graph }).toEqual({
      legacy: { ...legacyError(status, message), retryAfter: retryAfter.header },
      graph: {
        ...graphError(status, message),
        retryAfter: retryAfter.header,
        body: { errors: [{ message, extensions: { code, ...retryAfter.extension } }] },
      },
    });
  });

  test('responds to a malformed request with JSON', requires(oldBalancer), async () => {
    const socket = connect(balancer.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nno header\r\n\r\n');
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect({ head: head.toLowerCase().split('\r\n'), body: JSON.parse(body) }).toEqual({
      head: expect.arrayContaining(['http/1.1 400 bad request', 'content-type: application/json; charset=utf-8']),
      body: { Code: 400, Message: 'expected a request in HTTP/1.1', Timestamp: 0, RequestId: 0 },
    });
  });
});

test(
  'HAProxy reports that a write may have been executed if the service closes the connection',
  requires(missingBalancer),
  async () => {
    const server = createServer((request, response) => {
      if (request.url === '/readyz') response.end();
      else request.socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${portOf(server)}`;
    const balancer = await startHaProxy(origin, origin);
    try {
      expect({
        legacy: await errorOf(await post(`${balancer.origin}/v1/data/teams`)),
        graph: await errorOf(await post(`${balancer.origin}/graphql`)),
      }).toEqual({
        legacy: legacyError(502, 'the connection to the service was lost: a write may have been executed'),
        graph: graphError(502, 'the connection to the service was lost: a mutation may have been executed'),
      });
    } finally {
      await balancer.stop();
      server.closeAllConnections();
      server.close();
    }
  },
);

test('the service recovers within 2 s after PostgreSQL restarts behind PgBouncer', {
  ...requires(missingBalancer),
  timeout: 180_000,
}, async () => {
  const postgres = await startPostgres(await scratchDirectory());
  const pooler = await startPgBouncer([postgres.url]);
  const url = pooler.urls[0] ?? '';
  const token = 'the-token-of-the-platform';
  const service = await startService({ DATABASE_URL: url, DATABASE_PREPARED: 'off', BOOTSTRAP_PLATFORM_TOKEN: token });
  const statusOf = async () =>
    (await fetch(`${service.origin}/v1/data/teams?page_size=1`, { headers: { 'PB-API-TOKEN': token } })).status;
  try {
    const before = await statusOf();
    await postgres.shutDown('fast');
    const during = await statusOf();
    await postgres.restart();
    const restartedAt = performance.now();
    await expect.poll(statusOf, { interval: 50 }).toBe(200);
    const elapsed = performance.now() - restartedAt;
    expect({ before, during, isFast: elapsed < 2_000 || elapsed }).toEqual({ before: 200, during: 503, isFast: true });
  } finally {
    service.signal('SIGINT');
    await service.exit;
    await pooler.stop();
    await postgres.stop();
  }
});
