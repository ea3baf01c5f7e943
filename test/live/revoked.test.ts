import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { type Heard, type Subscribed, subscribe } from '../support/live.js';
import { subscribeBySocket } from '../support/live-socket.js';

let app: TestApp;
/** Another process of the service, as far as it knows nothing but the database. */
let other: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  other = await startApp({}, { url: app.databaseUrl, drop: async () => undefined });
  await app.graphql('mutation { upsertTournament(input: { id: "cup", title: "Cup" }) { id } }');
  admin = await app.person({ isSuperAdmin: true });
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const tournament = 'subscription { tournament(id: "cup") { kind } }';
const approvals = 'subscription { approvals { kind } }';

interface Revoked {
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
  const { createPublishableKey: made } = await other.graphql(query, {}, { platform: token });
  return { id: made.publishableKey.id, key: made.key };
}

const disable = (id: string) =>
  asAdmin('mutation ($id: ID!) { updatePlatform(id: $id, input: { isEnabled: false }) { id } }', { id });

const dead = 'UNAUTHENTICATED';

/** What ends what a token lets somebody do, each done at the other process. */
const kinds: Record<string, () => Promise<Revoked>> = {
  'a user signs out': async () => {
    const { user } = await app.person();
    return {
      tokens: { user },
      query: tournament,
      code: dead,
      revoke: () => other.graphql('mutation { logout { __typename } }', {}, { user }),
    };
  },
  'a token is revoked by hand': async () => {
    const { id, user } = await app.person();
    const revoke = () => other.sql.rows('update user_token set revoked_at = now() where user_id = $1', [id]);
    return { tokens: { user }, query: tournament, code: dead, revoke };
  },
  'a user is erased': async () => {
    const { id, user } = await app.person();
    const revoke = () => asAdmin('mutation ($id: ID!) { eraseUser(id: $id) { id } }', { id });
    return { tokens: { user }, query: tournament, code: dead, revoke };
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
    return { tokens: { platform: token }, query: tournament, code: dead, revoke: () => disable(id) };
  },
  'a platform gets a new token': async () => {
    const { id, token } = await newPlatform();
    const revoke = () => asAdmin('mutation ($id: ID!) { renewPlatformToken(id: $id) { token } }', { id });
    return { tokens: { platform: token }, query: tournament, code: dead, revoke };
  },
  'a key is revoked': async () => {
    const platform = await newPlatform();
    const { id, key } = await newKey(platform);
    const revoke = () =>
      other.graphql('mutation ($id: ID!) { revokePublishableKey(id: $id) { id } }', { id }, { platform: platform.token });
    return { tokens: { platform: key }, query: tournament, code: dead, revoke };
  },
  'the platform of a key is disabled': async () => {
    const platform = await newPlatform();
    const { key } = await newKey(platform);
    return { tokens: { platform: key }, query: tournament, code: dead, revoke: () => disable(platform.id) };
  },
};

const transports: Record<string, (app: TestApp, tokens: Tokens, query: string) => Promise<Subscribed>> = {
  'server-sent events': subscribe,
  'a socket': subscribeBySocket,
};

/** What a subscription was told last, once it has ended. */
async function last({ heard, ended }: Subscribed): Promise<Heard | undefined> {
  await ended.catch(() => undefined);
  return heard.at(-1);
}

for (const [transport, open] of Object.entries(transports))
  for (const [what, make] of Object.entries(kinds))
    test(`when ${what} at another process, a stream over ${transport} ends within a second, and others go on`, async () => {
      const { tokens, query, code, revoke } = await make();
      const stream = await open(app, tokens, query);
      const bystander = await open(app, app.platform, tournament);
      // What is known of the token is as old as it may be.
      await new Promise((resolve) => setTimeout(resolve, 700));
      expect(stream.heard).toEqual([]);
      const answer = await revoke();
      expect(answer).not.toHaveProperty('errors');
      const begun = performance.now();
      const said = await last(stream);
      const took = performance.now() - begun;
      expect(said).toMatchObject({ data: null, errors: [{ extensions: { code } }] });
      expect(took).toBeLessThan(1_500);
      await app.graphql('mutation ($title: String!) { upsertTournament(input: { id: "cup", title: $title }) { id } }', {
        title: `${what} over ${transport}`,
      });
      expect(await bystander.until(1)).toEqual([{ data: { tournament: { kind: 'CHANGED' } } }]);
      expect(stream.heard).toHaveLength(1);
      bystander.close();
    });

test('a stream that is opened with a token that died a moment ago is ended, too', async () => {
  const { id, user } = await app.person();
  // The process has just asked whose it is.
  await app.graphql('{ roles { totalCount } }', {}, { user });
  await other.sql.rows('update user_token set revoked_at = now() where user_id = $1', [id]);
  const stream = await subscribe(app, { user }, tournament);
  const begun = performance.now();
  await stream.ended.catch(() => undefined);
  expect(performance.now() - begun).toBeLessThan(1_500);
});
