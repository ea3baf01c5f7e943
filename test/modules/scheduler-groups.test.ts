import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';

let app: TestApp;
let owner: Person;
let guest: Person;
beforeAll(async () => {
  app = await startApp();
  [owner, guest] = [await app.person(), await app.person()];
});
afterAll(() => app.close());

test('a user neither makes a group for somebody else nor gives one away', async () => {
  const save = (tokens: Tokens, input: object) =>
    app.graphql('mutation ($input: GameGroupInput!) { upsertGameGroup(input: $input) { ownerId } }', { input }, tokens);
  const refused = { errors: ['FORBIDDEN: input.ownerId: only the id of the signed-in user'] };
  expect([
    await save(owner, { id: 'g2', ownerId: owner.id }),
    await save(owner, { id: 'g2', ownerId: guest.id }),
    await save(owner, { id: 'g2', ownerId: null }),
    await save(guest, { ownerId: owner.id }),
    await save(app.platform, { id: 'g2', ownerId: guest.id }),
  ]).toEqual([
    { upsertGameGroup: { ownerId: owner.id } },
    refused,
    { upsertGameGroup: { ownerId: owner.id } },
    refused,
    { upsertGameGroup: { ownerId: guest.id } },
  ]);
});

test('a group is changed and deleted by who runs it', async () => {
  const save = (tokens: Tokens, name: string) =>
    app.graphql(
      'mutation ($title: String!) { upsertGameGroup(input: { id: "g1", title: $title }) { title ownerId } }',
      { title: name },
      tokens,
    );
  const drop = (tokens: Tokens) => app.graphql('mutation { deleteGameGroup(id: "g1") { title } }', {}, tokens);
  const refused = { errors: ['FORBIDDEN: only for: who runs the group'] };
  expect([
    await save(owner, 'Mine'),
    await save(guest, 'Yours'),
    await save(app.platform, 'Ours'),
    await drop(guest),
    await drop(owner),
  ]).toEqual([
    { upsertGameGroup: { title: 'Mine', ownerId: owner.id } },
    refused,
    { upsertGameGroup: { title: 'Ours', ownerId: owner.id } },
    refused,
    { deleteGameGroup: { title: 'Ours' } },
  ]);
});

test('a group that two delete at the same moment is deleted once', async () => {
  await app.graphql('mutation { upsertGameGroup(input: { id: "g3", title: "Mine" }) { id } }', {}, owner);
  const drop = () => app.graphql('mutation { deleteGameGroup(id: "g3") { title } }', {}, owner);
  expect((await Promise.all([drop(), drop(), drop()])).map(({ errors }) => errors?.[0] ?? 'deleted').toSorted()).toEqual([
    'NOT_FOUND: no gameGroup with the id g3',
    'NOT_FOUND: no gameGroup with the id g3',
    'deleted',
  ]);
});
