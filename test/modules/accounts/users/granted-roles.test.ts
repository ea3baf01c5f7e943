import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../../../support/servers/app.js';

let app: TestApp;
let superAdmin: Person;
let newsAdmin: Person;
beforeAll(async () => {
  app = await startApp();
  superAdmin = await app.person({ isSuperAdmin: true });
  newsAdmin = await app.person({ roles: ['NEWS_ADMIN'] });
});
afterAll(() => app.close());

const query = 'query ($id: ID!) { user(id: $id) { roles { title } grantedRoles { title } } }';

test('grantedRoles omits inherited roles, and only super admins, platforms and the user see it', async () => {
  const grantedRoles = [{ title: 'NEWS_ADMIN' }];
  const roles = ['NEWS_ADMIN', 'USER', 'CONTENT_CREATOR', 'NEWS_CREATOR', 'CONTENT_CONFIRMER'].map((title) => ({ title }));
  const admin = await app.person({ roles: ['ADMIN'] });
  const read = (tokens: object) => app.graphql(query, { id: newsAdmin.id }, tokens);
  expect({
    asSuperAdmin: await read({ user: superAdmin.user }),
    asPlatform: await read(app.platform),
    asUser: await read({ user: newsAdmin.user }),
    asAdmin: await read({ user: admin.user }),
  }).toEqual({
    asSuperAdmin: { user: { roles, grantedRoles } },
    asPlatform: { user: { roles, grantedRoles } },
    asUser: { user: { roles, grantedRoles } },
    asAdmin: { user: { roles: null, grantedRoles: null } },
  });
});

test('grantRole and revokeRole return the granted roles', async () => {
  const player = await app.person();
  const change = (mutation: string) =>
    app.graphql(
      `mutation ($userId: ID!, $roleId: ID!) { ${mutation}(userId: $userId, roleId: $roleId) { grantedRoles { title } } }`,
      { userId: player.id, roleId: '5' },
      { user: superAdmin.user },
    );
  expect({ ...(await change('grantRole')), ...(await change('revokeRole')) }).toEqual({
    grantRole: { grantedRoles: [{ title: 'REFEREE' }] },
    revokeRole: { grantedRoles: [] },
  });
});

test('each role has a description, and the module in which it grants permissions', async () => {
  const { roles } = await app.graphql('{ roles { nodes { title module description } } }');
  expect({
    undescribed: roles.nodes.filter(({ description }: { description: string | null }) => !description),
    modules: roles.nodes.flatMap(({ title, module }: { title: string; module: string | null }) =>
      module ? [[title, module]] : [],
    ),
  }).toEqual({
    undescribed: [],
    modules: [
      ['NEWS_ADMIN', 'news'],
      ['USERS_PROFILES_EDITOR', 'media'],
      ['REFEREE', 'officiating'],
      ['CONTENT_CREATOR', 'media'],
      ['NEWS_CREATOR', 'news'],
      ['CONTENT_CONFIRMER', 'media'],
    ],
  });
});
