import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { databaseErrorCounts } from '../../../src/kernel/database-errors.js';
import { type OpenSubscription, type ReceivedEvent, subscribe } from '../../support/clients/event-stream.js';
import { subscribeBySocket } from '../../support/clients/websocket.js';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';
import { startDatabaseProxy } from '../../support/servers/database-proxy.js';

let app: TestApp;
/** App that represents another process of the service. It shares only the database with `app`. */
let other: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  other = await startApp({}, { url: app.databaseUrl, drop: async () => undefined });
  await save('cup', 'Cup');
  admin = await app.person({ isSuperAdmin: true });
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const tournament = 'subscription { tournament(id: "cup") { kind } }';
const approvals = 'subscription { approvals { kind } }';

interface Revocation {
  readonly tokens: Tokens;
  readonly query: string;
  readonly code: string;
  revoke(): Promise<unknown>;
}

const asAdmin = (query: string, variables: Record<string, unknown> = {}) => other.graphql(query, variables, { user: admin.user });

let platforms = 0;
async function newPlatform(): Promise<{ id: string; token: string }> {
  const id = `short-lived-${++platforms}`;
  const query = 'mutation ($id: ID!, $title: String!) { createPlatform(input: { id: $id, title: $title }) { token } }';
  return { id, token: (await asAdmin(query, { id, title: id })).createPlatform.token };
}

async function newKey({ token }: { token: string }): Promise<{ id: string; key: string }> {
  const query = 'mutation { createPublishableKey(input: { label: "Page" }) { key publishableKey { id } } }';
  const { createPublishableKey } = await other.graphql(query, {}, { platform: token });
  return { id: createPublishableKey.publishableKey.id, key: createPublishableKey.key };
}

const disable = (id: string) =>
  asAdmin('mutation ($id: ID!) { updatePlatform(id: $id, input: { isEnabled: false }) { id } }', { id });

/** Events that end the permissions of a token. Each happens in the other process. */
const revocations: Record<string, () => Promise<Revocation>> = {
  'a user signs out': async () => {
    const { user } = await app.person();
    return {
      tokens: { user },
      query: tournament,
      code: 'UNAUTHENTICATED',
      revoke: () => other.graphql('mutation { logout { __typename } }', {}, { user }),
    };
  },
  'a session is ended': async () => {
    const { id, user } = await app.person();
    const [session] = await app.sql.rows<{ id: string }>('select id from user_token where user_id = $1', [id]);
    const revoke = () => asAdmin('mutation ($id: ID!) { endSession(id: $id) { id } }', { id: session?.id });
    return { tokens: { user }, query: tournament, code: 'UNAUTHENTICATED', revoke };
  },
  'all sessions of a user are ended': async () => {
    const { id, user } = await app.person();
    const revoke = () => asAdmin('mutation ($id: ID!) { endAllSessions(userId: $id) { id } }', { id });
    return { tokens: { user }, query: tournament, code: 'UNAUTHENTICATED', revoke };
  },
  'a token is revoked by SQL': async () => {
    const { id, user } = await app.person();
    const revoke = () => other.sql.rows('update user_token set revoked_at = now() where user_id = $1', [id]);
    return { tokens: { user }, query: tournament, code: 'UNAUTHENTICATED', revoke };
  },
  'a user is erased': async () => {
    const { id, user } = await app.person();
    const revoke = () => asAdmin('mutation ($id: ID!) { eraseUser(id: $id) { user { id } } }', { id });
    return { tokens: { user }, query: tournament, code: 'UNAUTHENTICATED', revoke };
  },
  'a user is locked': async () => {
    const { id, user } = await app.person();
    const revoke = () => asAdmin('mutation ($id: ID!) { lockUser(id: $id, reason: "spam") { id } }', { id });
    return { tokens: { user }, query: tournament, code: 'UNAUTHENTICATED', revoke };
  },
  'a user loses a role': async () => {
    const { id, user } = await app.person({ roles: ['ADMIN'] });
    const [role] = await app.sql.rows<{ id: string }>(`select id from role where title = 'ADMIN'`);
    const revoke = () =>
      asAdmin('mutation ($id: ID!, $role: ID!) { revokeRole(userId: $id, roleId: $role) { id } }', { id, role: role?.id });
    return { tokens: { user }, query: approvals, code: 'FORBIDDEN', revoke };
  },
  'a platform is disabled': async () => {
    const { id, token } = await newPlatform();
    return { tokens: { platform: token }, query: tournament, code: 'UNAUTHENTICATED', revoke: () => disable(id) };
  },
  'a platform gets a new token': async () => {
    const { id, token } = await newPlatform();
    const revoke = () => asAdmin('mutation ($id: ID!) { renewPlatformToken(id: $id) { token } }', { id });
    return { tokens: { platform: token }, query: tournament, code: 'UNAUTHENTICATED', revoke };
  },
  'a key is revoked': async () => {
    const platform = await newPlatform();
    const { id, key } = await newKey(platform);
    const revoke = () =>
      other.graphql('mutation ($id: ID!) { revokePublishableKey(id: $id) { id } }', { id }, { platform: platform.token });
    return { tokens: { platform: key }, query: tournament, code: 'UNAUTHENTICATED', revoke };
  },
  'the platform of a key is disabled': async () => {
    const platform = await newPlatform();
    const { key } = await newKey(platform);
    return { tokens: { platform: key }, query: tournament, code: 'UNAUTHENTICATED', revoke: () => disable(platform.id) };
  },
};

const transports: Record<string, (app: TestApp, tokens: Tokens, query: string) => Promise<OpenSubscription>> = {
  'server-sent events': subscribe,
  'a socket': subscribeBySocket,
};

/** Waits until the service ends a subscription. Returns its last result. */
async function lastResultOf({ events, end }: OpenSubscription): Promise<ReceivedEvent | undefined> {
  await end.catch(() => undefined);
  return events.at(-1);
}

/** Counts database round trips until a subscription ends. A busy machine slows the round trips down as much as the service. */
async function roundTripsUntilEnd({ end: streamEnd }: OpenSubscription): Promise<number> {
  let isOpen = true;
  const stop = () => {
    isOpen = false;
  };
  streamEnd.then(stop, stop);
  let count = 0;
  for (; isOpen; count += 1) await app.sql.rows('select 1');
  return count;
}

/**
 * Maximum number of round trips until a notification ends a subscription. Without notifications, the service checks the callers of all
 * subscriptions every 30 s.
 */
const maxRoundTrips = 20_000;

const save = (id: string, title: string) =>
  app.graphql('mutation ($id: ID!, $title: String!) { upsertTournament(input: { id: $id, title: $title }) { id } }', {
    id,
    title,
  });

/**
 * Whether the tests of a transport run concurrently. Socket tests do not, because their client waits for the number of open subscriptions
 * to rise.
 */
const isConcurrent = (transport: string): boolean => transport === 'server-sent events';

for (const [transport, open] of Object.entries(transports))
  for (const [event, prepare] of Object.entries(revocations))
    test(`a stream over ${transport} ends when ${event} in another process, and other streams continue`, {
      concurrent: isConcurrent(transport),
    }, async () => {
      const id = `${event} over ${transport}`.replaceAll(' ', '-');
      await save(id, 'Cup');
      const { tokens, query, code, revoke } = await prepare();
      const stream = await open(app, tokens, query);
      const unaffected = await open(app, app.platform, `subscription { tournament(id: "${id}") { kind } }`);
      // The cached identity of the token expires after 500 ms.
      await new Promise((resolve) => setTimeout(resolve, 700));
      expect(stream.events).toEqual([]);
      const answer = await revoke();
      expect(answer).not.toHaveProperty('errors');
      const roundTrips = await roundTripsUntilEnd(stream);
      expect(await lastResultOf(stream)).toMatchObject({ data: null, errors: [{ extensions: { code } }] });
      expect(roundTrips).toBeLessThan(maxRoundTrips);
      await save(id, 'Open');
      expect(await unaffected.until(1)).toEqual([{ data: { tournament: { kind: 'CHANGED' } } }]);
      expect(stream.events).toHaveLength(1);
      unaffected.close();
    });

test('a stream that opens with a token revoked a moment ago ends, although the token is still cached', async () => {
  // A new service checks the callers of all subscriptions for the first time after 30 s. That is longer than the timeout of this test.
  const started = await startApp({}, { url: app.databaseUrl, drop: async () => undefined });
  const { id, user } = await app.person();
  // Caches the identity of the token.
  await started.graphql('{ roles { totalCount } }', {}, { user });
  await other.sql.rows('update user_token set revoked_at = now() where user_id = $1', [id]);
  const stream = await subscribe(started, { user }, tournament);
  expect(await lastResultOf(stream)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  await started.close();
});

test('while the database is unavailable, subscriptions stay open, and those with revoked tokens end afterwards', async () => {
  const proxy = await startDatabaseProxy(app.databaseUrl);
  onTestFinished(proxy.stop);
  const started = await startApp({}, { url: proxy.url, drop: async () => undefined });
  onTestFinished(() => started.close());
  const { id, user } = await app.person();
  const [revoked, valid] = [await subscribe(started, { user }, tournament), await subscribe(started, app.platform, tournament)];
  const failures = () => databaseErrorCounts.entries.reduce((sum, [, count]) => sum + count, 0);
  const before = failures();
  proxy.lead('postgres://127.0.0.1:9/');
  await other.sql.rows('update user_token set revoked_at = now() where user_id = $1', [id]);
  // The failures show that the service tried to check both callers, but could not identify them.
  await expect.poll(() => failures() - before, { timeout: 10_000 }).toBeGreaterThan(5);
  proxy.lead(app.databaseUrl);
  expect(await lastResultOf(revoked)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  await save('cup', 'Masters');
  expect(await valid.until(1)).toEqual([{ data: { tournament: { kind: 'CHANGED' } } }]);
  valid.close();
});
