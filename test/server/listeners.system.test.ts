import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/process/port.js';
import { databaseWithTeams } from '../support/servers/database-with-teams.js';
import { type RealServer, startServer } from '../support/servers/recording-server.js';
import { type Service, startService } from '../support/servers/service-process.js';
import type { Database } from '../support/servers/test-database.js';

const token = 'a-token-of-the-platform';
let database: Database;
/** Server for shadow reads and traces. */
let upstream: RealServer;
let service: Service;
beforeAll(async () => {
  database = await databaseWithTeams({ users: 20, tournaments: 2, teams: 250 });
  upstream = await startServer((_, response) => response.end('{}'));
  service = await startService({
    DATABASE_URL: database.url,
    BOOTSTRAP_PLATFORM_TOKEN: token,
    METRICS_PORT: String(await freePort()),
    SHADOW_UPSTREAM: upstream.origin,
    SHADOW_SHARE: '1',
    OTEL_EXPORTER_OTLP_ENDPOINT: upstream.origin,
    LOG_REQUESTS: 'on',
  });
}, 60_000);
afterAll(async () => {
  service.signal('SIGKILL');
  await service.exit;
  upstream.close();
  await database.drop();
});

test('requests with shadow reads, metrics, traces and request lines cause no warning about listeners', async () => {
  // The first two responses are streams, which add most listeners.
  const paths = [
    '/v1/data/teams?page_size=250',
    '/exports/tournaments.csv',
    '/v1/data/teams/m1',
    '/graphql?query={roles{totalCount}}',
  ];
  const send = async (path: string) => {
    const response = await fetch(service.origin + path, { headers: { 'PB-API-TOKEN': token } });
    await response.text();
    return response.status;
  };
  const sendAll = () => Promise.all(paths.map(send));
  const statuses = await sendAll();
  await Promise.all(Array.from({ length: 13 }, sendAll));
  service.signal('SIGINT');
  await service.exit;
  expect({ statuses, warnings: service.output().match(/.*Warning.*/g) }).toEqual({
    statuses: [200, 200, 200, 200],
    warnings: null,
  });
});
