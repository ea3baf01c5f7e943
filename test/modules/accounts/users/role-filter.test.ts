import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKey } from '../../../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp } from '../../../support/servers/app.js';

let app: TestApp;
let admin: Person;
let referee: Person;
let newsAdmin: Person;
let player: Person;
beforeAll(async () => {
  app = await startApp();
  admin = await app.person({ roles: ['ADMIN'] });
  referee = await app.person({ roles: ['REFEREE'] });
  newsAdmin = await app.person({ roles: ['NEWS_ADMIN'] });
  player = await app.person();
});
afterAll(() => app.close());

const holders = async (filter: string, tokens: object) => {
  const answer = await app.graphql(`{ users(filter: { roles: ${filter} }) { nodes { id } } }`, {}, tokens);
  return answer.users?.nodes.map(({ id }: { id: string }) => id).sort() ?? answer.errors;
};

// ADMIN inherits the other roles.
test('admins and platforms filter users by a role', async () => {
  expect({
    asAdmin: await holders('{ has: REFEREE }', { user: admin.user }),
    asPlatform: await holders('{ has: REFEREE }', app.platform),
  }).toEqual({ asAdmin: [admin.id, referee.id], asPlatform: [admin.id, referee.id] });
});

test('the filter finds inherited roles, and users with any of some roles', async () => {
  expect({
    inherited: await holders('{ has: NEWS_CREATOR }', { user: admin.user }),
    any: await holders('{ hasAny: [NEWS_CREATOR, REFEREE] }', { user: admin.user }),
  }).toEqual({ inherited: [admin.id, newsAdmin.id], any: [admin.id, referee.id, newsAdmin.id] });
});

test('other users and keys cannot use the filter, not even through relations', async () => {
  const { key } = await newKey(app);
  const relation = '{ tournaments(filter: { players: { some: { roles: { has: ADMIN } } } }) { totalCount } }';
  expect({
    asPlayer: await holders('{ has: ADMIN }', { user: player.user }),
    throughRelation: (await app.graphql(relation, {}, { platform: key })).errors,
  }).toEqual({
    asPlayer: ['FORBIDDEN: filter.roles: Not allowed: requires a platform token, or a user token with the role ADMIN'],
    throughRelation: [
      'UNAUTHENTICATED: filter.players.some.roles: Authentication required: send a platform token (header PB-API-TOKEN), or a user token with the role ADMIN (header PB-USER-TOKEN)',
    ],
  });
});
