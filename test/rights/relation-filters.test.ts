import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { filterRelationsOf } from '../../src/kernel/read/conditions/filter-relations.js';
import { modules } from '../../src/modules/index.js';
import { newKey } from '../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/servers/app.js';

let app: TestApp;
let callers: Tokens[];
let ana: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person({ firstName: 'Ana' });
  ben = await app.person({ firstName: 'Ben' });
  callers = [app.platform, { platform: (await newKey(app)).key }, { user: ana.user }];
});
afterAll(() => app.close());

const records = modules.flatMap((module) => module.records);
const hasRootField = (cls: (typeof records)[number], field: 'one' | 'many') => optionsOf(cls).rootFields?.includes(field) ?? true;

/** Returns the error messages of the forbidden root fields, keyed by field. */
async function forbiddenFields(fields: readonly string[], tokens: Tokens): Promise<Map<string, string>> {
  const query = `{ ${fields.map((field, index) => `f${index}: ${field}`).join('\n')} }`;
  const { body } = await app.rest('POST', '/graphql', tokens, { query });
  const errors: { path?: string[]; message: string; extensions: { code: string } }[] = body.errors ?? [];
  for (const { extensions, message } of errors)
    expect(extensions.code, message).toMatch(tokens.user ? /^FORBIDDEN$/ : /^(FORBIDDEN|UNAUTHENTICATED)$/);
  return new Map(errors.map(({ path, message }) => [fields[Number(path?.[0]?.slice(1))] ?? '', message]));
}

test('a filter by a relation is forbidden to callers who cannot read its records, and the error names its path', async () => {
  let forbiddenCount = 0;
  for (const tokens of callers)
    for (const cls of records.filter((record) => hasRootField(record, 'many'))) {
      const { many } = optionsOf(cls);
      const unfiltered = `${many}(first: 0) { totalCount }`;
      if ((await forbiddenFields([unfiltered], tokens)).size) continue;
      const relations = [...filterRelationsOf(cls)].filter(([, { target }]) => hasRootField(target, 'one'));
      if (relations.length === 0) continue;
      const filterBy = ([name, { isList }]: (typeof relations)[number]) =>
        `${many}(first: 0, filter: { ${name}: ${isList ? '{ some: {} }' : '{}'} }) { totalCount }`;
      const read = ([, { target, isList }]: (typeof relations)[number]) =>
        isList && optionsOf(target).readRelated
          ? `${optionsOf(target).many}(first: 0) { totalCount }`
          : `${optionsOf(target).one}(id: "x") { id }`;
      const filterErrors = await forbiddenFields(relations.map(filterBy), tokens);
      const readErrors = await forbiddenFields(relations.map(read), tokens);
      const pathOf = (message = '') =>
        /^filter\.\w+(\.\w+)?(?=: (Not allowed|Authentication required): )/.exec(message)?.[0] ?? null;
      const errorPaths = relations.map((relation) => [relation[0], pathOf(filterErrors.get(filterBy(relation)))] as const);
      const expectedPaths = relations.map((relation) => [
        relation[0],
        readErrors.has(read(relation)) ? `filter.${relation[0]}` : null,
      ]);
      expect({ record: many, errorPaths: Object.fromEntries(errorPaths) }).toEqual({
        record: many,
        errorPaths: Object.fromEntries(expectedPaths),
      });
      forbiddenCount += errorPaths.filter(([, path]) => path !== null).length;
    }
  expect(forbiddenCount).toBeGreaterThan(0);
}, 60_000);

describe('a filter by a relation', () => {
  const count = async (many: string, filter: string, tokens: Tokens = { user: ana.user }) => {
    const answer = await app.graphql(`{ list: ${many}(filter: ${filter}) { totalCount } }`, {}, tokens);
    return answer.list?.totalCount ?? answer.errors;
  };

  beforeAll(async () => {
    await app.graphql(`mutation {
      a: createRegistration(input: { id: "bens", userId: "${ben.id}" }) { id }
      b: createInvoice(input: { id: "bens-invoice", userId: "${ben.id}", registrationId: "bens" }) { id }
      c: createInvoiceItem(input: { invoiceId: "bens-invoice" }) { id }
    }`);
    const insertGame = (id: string, parentPrivacyAndInvitations: string) =>
      app.sql.rows(`insert into game (id, owner_id, title, player_ids, parent_id, is_invite_only, invited_ids)
        values ('${id}', '${ben.id}', '${id}', '{${ben.id}}', ${parentPrivacyAndInvitations})`);
    await insertGame('private', `null, true, '{}'`);
    await insertGame('repetition', `'private', false, '{}'`);
    await insertGame('open', `null, false, '{${ana.id}}'`);
  });

  test('does not match an invoice of another user', async () => {
    const filter = '{ id: { eq: "bens" }, invoices: { some: {} } }';
    expect({
      other: await count('registrations', filter),
      owner: await count('registrations', filter, { user: ben.user }),
    }).toEqual({ other: 0, owner: 1 });
  });

  test('does not match the items of an invoice of another user', async () => {
    const filter = `{ id: { eq: "${ben.id}" }, invoices: { some: { items: { some: {} } } } }`;
    expect({ other: await count('users', filter), owner: await count('users', filter, { user: ben.user }) }).toEqual({
      other: 0,
      owner: 1,
    });
  });

  test('with `none` matches if all records of the relation are invisible', async () => {
    expect(await count('registrations', '{ id: { eq: "bens" }, invoices: { none: {} } }')).toBe(1);
  });

  test('does not match an invite-only game', async () => {
    const filter = '{ parent: { title: { eq: "private" } } }';
    expect({ other: await count('games', filter), owner: await count('games', filter, { user: ben.user }) }).toEqual({
      other: 0,
      owner: 1,
    });
  });

  test('does not match players of a game that hides its players', async () => {
    const byPlayer = `{ id: { eq: "open" }, players: { some: { firstName: { eq: "Ben" } } } }`;
    const byGame = `{ id: { eq: "${ben.id}" }, games: { some: { id: { eq: "open" } } } }`;
    const counts = async (tokens: Tokens) => ({
      gamesByPlayer: await count('games', byPlayer, tokens),
      usersByGame: await count('users', byGame, tokens),
    });
    expect({ other: await counts({ user: ana.user }), owner: await counts({ user: ben.user }) }).toEqual({
      other: { gamesByPlayer: 0, usersByGame: 0 },
      owner: { gamesByPlayer: 1, usersByGame: 1 },
    });
  });

  test('matches the caller’s invitation to a game, but not that of another user', async () => {
    const carl = await app.person();
    const byInvitedPlayer = `{ id: { eq: "open" }, invitedPlayers: { some: { id: { eq: "${ana.id}" } } } }`;
    const byInvitation = `{ id: { eq: "${ana.id}" }, gameInvitations: { some: {} } }`;
    const counts = async (tokens: Tokens) => ({
      gamesByInvitedPlayer: await count('games', byInvitedPlayer, tokens),
      usersByInvitation: await count('users', byInvitation, tokens),
    });
    expect({ invited: await counts({ user: ana.user }), other: await counts({ user: carl.user }) }).toEqual({
      invited: { gamesByInvitedPlayer: 1, usersByInvitation: 1 },
      other: { gamesByInvitedPlayer: 0, usersByInvitation: 0 },
    });
  });

  test('does not accept a private field of a record', async () => {
    expect(await count('teams', '{ playerOne: { email: { eq: "x" } } }')).toEqual([
      'BAD_INPUT: filter.playerOne.email: expected a field of UserFilter',
    ]);
  });
});
