import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSchema, getOperationAST, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { demo } from '../../src/demo/tokens.js';
import { examples, headersOf } from '../../src/graphql/examples/index.js';
import { freePort } from '../../src/process/port.js';
import { nested } from '../graphql/federation/nested-operations.js';
import { type GoldenHost, goldenNames, playOn, readGolden } from '../support/checks/golden.js';
import { demoResponses } from '../support/checks/restored-service.js';
import { subscribe } from '../support/clients/event-stream.js';
import { requires } from '../support/prerequisites.js';
import { missingBalancer, startHaProxy } from '../support/servers/load-balancer.js';
import { type Service, scratchDirectory, startService } from '../support/servers/service-process.js';
import { emptyDatabase } from '../support/servers/test-database.js';
import { buildRelease, missingPreviousRelease, previousRelease } from './releases.js';

// The first run on a machine installs the packages of the previous release, if it has another lockfile.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

const goldens = join(import.meta.dirname, '../compat/golden');
/** This request uses up its code, so it cannot be repeated. */
const oneTimeRead = 'GET_v1_pub_validate_email_{random_string}';
const reads = goldenNames(goldens).filter((name) => readGolden(goldens, name).request.method === 'GET' && name !== oneTimeRead);

describe(
  `this release and ${previousRelease.version} on one database`,
  requires(missingPreviousRelease ?? missingBalancer),
  () => {
    let directory: string;
    let database: Awaited<ReturnType<typeof emptyDatabase>>;
    let balancer: Awaited<ReturnType<typeof startHaProxy>>;
    /** The services `one` and `two` of the load balancer. After the first test, `one` is the previous release and `two` is this release. */
    const services: Service[] = [];
    const ports: number[] = [];
    const slots = ['one', 'two'] as const;
    const originOf = (slot: number) => `http://127.0.0.1:${ports[slot]}`;
    const platform = { 'PB-API-TOKEN': demo.platformToken };

    const start = async (slot: number, release: 'previous' | 'this') => {
      const variables = {
        PORT: String(ports[slot]),
        DATABASE_URL: database.url,
        DATABASE_POOL: '5',
        DEMO: 'true',
        DRAIN_DELAY: '1',
        TRUST_PROXY: '1',
        SUBGRAPHS: 'none',
        LOG_LEVEL: 'warn',
      };
      services[slot] = await startService(variables, release === 'this' ? '.' : directory);
    };

    /** Replaces the process behind the load balancer with a process of another release. */
    async function replace(slot: 0 | 1, release: 'previous' | 'this'): Promise<void> {
      services[slot]?.signal('SIGTERM');
      expect(await services[slot]?.exit).toBe(0);
      await start(slot, release);
      await expect.poll(() => balancer.isUp(slots[slot]), { timeout: 60_000 }).toBe(true);
    }

    async function graphql(origin: string, query: string, variables: object = {}, headers: Record<string, string> = platform) {
      const response = await fetch(`${origin}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
      });
      return { status: response.status, replayed: response.headers.get('idempotent-replayed'), body: await response.json() };
    }

    beforeAll(async () => {
      directory = join(await scratchDirectory(), 'release');
      [database] = await Promise.all([emptyDatabase(), buildRelease(previousRelease, directory)]);
      ports.push(await freePort(), await freePort());
      await start(0, 'previous');
      await start(1, 'previous');
      balancer = await startHaProxy(originOf(0), originOf(1));
    });
    afterAll(async () => {
      for (const { signal } of services) signal('SIGINT');
      await Promise.all(services.map(({ exit }) => exit));
      await balancer?.stop();
      await database?.drop();
    });

    test('no request fails while processes are upgraded to this release, and then rolled back', async () => {
      const outcomes: Record<string, number> = {};
      let isStopped = false;
      let cursor: string | null = null;
      const requests: (() => Promise<string>)[] = [
        async () => {
          const { status } = await fetch(`${balancer.origin}/v1/data/teams?page_size=5`, { headers: platform });
          return String(status);
        },
        async () => {
          const query =
            'query ($after: String) { tournaments(first: 3, after: $after) { nodes { title teams { totalCount } } pageInfo { endCursor } } }';
          const { status, body } = await graphql(balancer.origin, query, { after: cursor });
          // The next request continues on a process of any release.
          cursor = body.data?.tournaments.pageInfo.endCursor ?? null;
          return String(body.errors ? JSON.stringify(body.errors) : status);
        },
        async () => {
          const write = 'mutation ($key: String) { upsertTournament(input: { id: "rolling", title: $key }) { title version } }';
          const key = crypto.randomUUID();
          const headers = { ...platform, 'idempotency-key': key };
          const [first, second] = [
            await graphql(balancer.origin, write, { key }, headers),
            await graphql(balancer.origin, write, { key }, headers),
          ];
          if (first.body.errors) return JSON.stringify(first.body.errors);
          return second.replayed === 'true' && JSON.stringify(first.body) === JSON.stringify(second.body)
            ? '200'
            : 'not replayed';
        },
        async () => {
          const body = JSON.stringify({ payload: { uuid: 'rolling-team', tournament_uuid: 'rolling' } });
          const headers = { ...platform, 'content-type': 'application/json' };
          const { status } = await fetch(`${balancer.origin}/v1/teams/upsert`, { method: 'POST', headers, body });
          return String(status);
        },
      ];
      const clients = requests.map(async (request) => {
        while (!isStopped) {
          const outcome = await request().catch((error: Error) => error.message);
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
          await sleep(5);
        }
      });
      await replace(1, 'this');
      await replace(0, 'this');
      await replace(0, 'previous');
      await replace(1, 'previous');
      await replace(1, 'this');
      isStopped = true;
      await Promise.all(clients);
      expect(Object.keys(outcomes)).toEqual(['200']);
      expect(outcomes[200]).toBeGreaterThan(200);
    });

    describe('with equal responses', () => {
      let hosts: [GoldenHost, GoldenHost];
      beforeAll(async () => {
        const idOf = async (token: string) => {
          const { body } = await graphql(originOf(0), '{ viewer { id } }', {}, { 'PB-USER-TOKEN': token });
          return body.data.viewer.id;
        };
        const ids = { user: await idOf(demo.userToken), admin: await idOf(demo.adminToken) };
        const tokens = { platform: demo.platformToken, user: demo.userToken, admin: demo.adminToken };
        hosts = [
          { url: originOf(0), tokens, ids },
          { url: originOf(1), tokens, ids },
        ];
      });

      test.for(reads)('%s', async (name) => {
        const [previous, current] = await playOn(hosts, readGolden(goldens, name));
        expect(withoutRequestIds(current)).toEqual(withoutRequestIds(previous));
      });

      test('a sample of each route with the demo season, and documented operations of the graph', async () => {
        const [previousSamples, samples] = await Promise.all([0, 1].map((slot) => demoResponses({ origin: originOf(slot) })));
        expect(samples).toEqual(previousSamples);
        const schema = buildSchema(readFileSync(join(directory, 'schema/schema.graphql'), 'utf8'));
        const operations = [...examples, ...nested].filter(({ query }) => {
          const document = parse(query);
          return getOperationAST(document)?.operation === 'query' && validate(schema, document).length === 0;
        });
        const tokens = {
          platform: demo.platformToken,
          publishable: demo.publishableKey,
          user: demo.userToken,
          admin: demo.adminToken,
        };
        const differences: string[] = [];
        for (const { title, query, variables, ...operation } of operations) {
          const headers = headersOf(operation, tokens);
          const [previous, current] = await Promise.all([0, 1].map((slot) => graphql(originOf(slot), query, variables, headers)));
          if (JSON.stringify(previous) !== JSON.stringify(current)) differences.push(title);
        }
        const readCount = reads.length + Object.keys(samples ?? {}).length + operations.length;
        expect({ differences, readCount }).toEqual({ differences: [], readCount: expect.toSatisfy((count) => count >= 243) });
      });
    });

    test.each([
      { writer: 'the previous release', slots: [0, 1] },
      { writer: 'this release', slots: [1, 0] },
    ] as const)(
      'subscribers of the other release receive the changes of $writer',
      async ({ writer: title, slots: [writer, reader] }) => {
        const subscription = await subscribe(
          { origin: originOf(reader) },
          { platform: demo.platformToken },
          'subscription { tournament(id: "rolling") { kind tournament { title } } }',
        );
        await graphql(
          originOf(writer),
          'mutation ($title: String) { upsertTournament(input: { id: "rolling", title: $title }) { id } }',
          { title },
        );
        const [event] = await subscription.until(1);
        subscription.close();
        expect(event?.data).toEqual({ tournament: { kind: 'CHANGED', tournament: { title } } });
      },
    );

    test('an ETag of each release is valid for the other one', async () => {
      const path = '/v1/data/tourney_flat_data?tourney_uuid=rolling';
      const get = (slot: number, headers: Record<string, string> = {}) =>
        fetch(originOf(slot) + path, { headers: { ...platform, ...headers } });
      const statuses: number[] = [];
      for (const [issuer, verifier] of [
        [0, 1],
        [1, 0],
      ] as const) {
        const tag = (await get(issuer)).headers.get('etag') ?? '';
        statuses.push((await get(verifier, { 'if-none-match': tag })).status);
      }
      expect(statuses).toEqual([304, 304]);
    });
  },
);

/** Replaces the IDs and times of requests in error bodies. */
const withoutRequestIds = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (key, value) => (key === 'Timestamp' || key === 'RequestId' ? 0 : value));
