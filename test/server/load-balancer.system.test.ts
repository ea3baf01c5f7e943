import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { migrate } from '../../src/database/migrate.js';
import { openOrm } from '../../src/database/orm.js';
import { examples } from '../../src/graphql/examples/index.js';
import { Pools, Session } from '../../src/kernel/session.js';
import { loadReference } from '../../src/modules/reference/load-sql.js';
import { freePort } from '../../src/process/port.js';
import { nested } from '../graphql/federation/nested-operations.js';
import { expectGolden, type GoldenHost, goldenNames, readGolden } from '../support/checks/golden.js';
import { requires } from '../support/prerequisites.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { missingBalancer, startHaProxy, startPgBouncer } from '../support/servers/load-balancer.js';
import { type Replicated, startReplicated } from '../support/servers/replicated-postgres.js';
import { type Service, scratchDirectory, startService } from '../support/servers/service-process.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const directory = join(import.meta.dirname, '../compat/golden');
// Every eighth golden file, except files that need a separate service or read caught email.
const sample = goldenNames(directory)
  .filter((name) => !readGolden(directory, name).alone && !JSON.stringify(readGolden(directory, name)).includes('/dev/mail'))
  .filter((_, index) => index % 8 === 0);

describe(
  'two services behind HAProxy, on a primary and a replica behind PgBouncer in transaction mode',
  requires(missingBalancer),
  () => {
    let servers: Replicated;
    let app: TestApp;
    let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
    let balancer: Awaited<ReturnType<typeof startHaProxy>>;
    let host: GoldenHost;
    const services: Service[] = [];
    const environments: Record<string, string>[] = [];

    beforeAll(async () => {
      servers = await startReplicated(await scratchDirectory(), async (url) => {
        const orm = await openOrm({ url });
        await migrate(orm);
        await loadReference(new Session(new Pools(orm), 'write'));
        await orm.close();
      });
      await waitForReplica(servers.primary);
      pooler = await startPgBouncer([servers.primary, servers.replica]);
      const [primary = '', replica = ''] = pooler.urls;
      const ports = [await freePort(), await freePort()];
      environments.push(
        ...ports.map((port) => ({
          PORT: String(port),
          DATABASE_URL: primary,
          DATABASE_REPLICA_URLS: replica,
          DATABASE_PREPARED: 'off',
          DATABASE_POOL: '4',
          DRAIN_DELAY: '1',
          TRUST_PROXY: '1',
          SUBGRAPHS: 'none',
          LOG_LEVEL: 'warn',
        })),
      );
      const primaryDatabase = { url: servers.primary, drop: async () => undefined };
      [app] = await Promise.all([
        startApp({ DATABASE_URL: servers.primary }, primaryDatabase),
        ...environments.map(async (environment, index) => {
          services[index] = await startService(environment);
        }),
      ]);
      const [first, second] = services.map(({ origin }) => origin.replace('localhost', '127.0.0.1'));
      balancer = await startHaProxy(first ?? '', second ?? '');
      const [user, admin] = [await app.person(), await app.person({ isSuperAdmin: true })];
      host = {
        url: balancer.origin,
        tokens: { ...app.platform, user: user.user, admin: admin.user },
        ids: { user: user.id, admin: admin.id },
      };
    });
    afterAll(async () => {
      await app.close();
      for (const { signal } of services) signal('SIGINT');
      await Promise.all(services.map(({ exit }) => exit));
      await balancer.stop();
      await pooler.stop();
      await servers.stop();
    });

    /** Makes commits wait until the replica applies them, so that reads from it see every write. */
    async function waitForReplica(url: string): Promise<void> {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query("alter system set synchronous_standby_names = '*'");
      await client.query('select pg_reload_conf()');
      await client.query('alter role current_user set synchronous_commit = remote_apply');
      // Responses must not depend on the time zone of the database server.
      await client.query("alter role current_user set timezone = 'Asia/Tokyo'");
      await client.end();
    }

    async function graphql(origin: string, query: string, variables: object, tokens: Record<string, string>) {
      const response = await fetch(`${origin}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...tokens },
        body: JSON.stringify({ query, variables }),
      });
      return { status: response.status, body: await response.json() };
    }

    test.for(sample)('%s', async (name) => {
      await expectGolden(directory, name, host);
    });

    test.for([...examples, ...nested])('$title', async ({ query, variables = {}, caller }) => {
      const tokens: Record<string, string> = caller
        ? { 'pb-user-token': host.tokens[caller] ?? '' }
        : { 'pb-api-token': app.platform.platform };
      expect(await graphql(balancer.origin, query, variables, tokens)).toEqual(
        await graphql(app.origin, query, variables, tokens),
      );
    });

    test('a search finds misspelled words over every pooled connection', async () => {
      await app.graphql('mutation { upsertTournament(input: { id: "open", title: "Austin Open" }) { id } }');
      const query = '{ tournaments(filter: { search: "autsin open" }) { nodes { id } } }';
      const tokens = { 'pb-api-token': app.platform.platform };
      const answers = await Promise.all(Array.from({ length: 30 }, () => graphql(balancer.origin, query, {}, tokens)));
      const isFound = answers.map(({ body }) => body.data?.tournaments.nodes.some(({ id }: { id: string }) => id === 'open'));
      expect(new Set(isFound)).toEqual(new Set([true]));
    });

    test('no request fails during a rolling restart', async () => {
      const outcomeCounts = new Map<string, number>();
      let isStopped = false;
      const tokens = { 'pb-api-token': app.platform.platform };
      const requests = [
        () => fetch(`${balancer.origin}/v1/data/teams?page_size=2`, { headers: tokens }).then(({ status }) => status),
        () => graphql(balancer.origin, '{ tournaments(first: 3) { nodes { title teams { totalCount } } } }', {}, tokens),
        () =>
          graphql(
            balancer.origin,
            'mutation { upsertTournament(input: { id: "open", title: "Steady" }) { version } }',
            {},
            tokens,
          ),
      ];
      const clients = requests.map(async (request) => {
        while (!isStopped) {
          const answer = await request().catch((error: Error) => error.message);
          const outcome = String(
            typeof answer === 'object' ? (answer.body.errors ? JSON.stringify(answer.body.errors) : answer.status) : answer,
          );
          outcomeCounts.set(outcome, (outcomeCounts.get(outcome) ?? 0) + 1);
          await sleep(5);
        }
      });
      for (const [index, name] of ['one', 'two'].entries()) {
        services[index]?.signal('SIGTERM');
        expect(await services[index]?.exit).toBe(0);
        services[index] = await startService(environments[index] ?? {});
        await expect.poll(() => balancer.isUp(name), { timeout: 60_000 }).toBe(true);
      }
      isStopped = true;
      await Promise.all(clients);
      expect([...outcomeCounts.keys()]).toEqual(['200']);
      expect(outcomeCounts.get('200')).toBeGreaterThan(100);
    });

    test('the services log no warning except about the missing SMTP_URL', () => {
      const lines = services.flatMap((service) => service.output().split('\n'));
      // A replica on a busy machine may respond too late. Reads then go to the primary.
      const expected = ['set SMTP_URL', 'replicas that lag or do not respond are not used'];
      expect(lines.filter((line) => line.startsWith('{') && !expected.some((text) => line.includes(text)))).toEqual([]);
    });
  },
);
