import { afterAll, beforeAll, expect, test } from 'vitest';
import { metaOf } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { statementsOf } from '../support/statements.js';

let app: TestApp;
let ada: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp();
  ada = await app.person({ firstName: 'Ada', lastName: 'Min', roles: ['ADMIN'] });
  ben = await app.person({ firstName: 'Ben', lastName: 'Min', roles: ['ADMIN'] });
});
afterAll(() => app.close());

const doers = '{ creator { firstName } updater { firstName } }';
const does = async (operation: string, tokens: Tokens) => (await app.graphql(`mutation { done: ${operation} }`, {}, tokens)).done;

const records = modules
  .flatMap((module) => module.records)
  .filter((cls) => !optionsOf(cls).rootFields && metaOf(cls).fields.has('updatedById') && !optionsOf(cls).key)
  .map((cls) => [cls.name, optionsOf(cls).one] as const);

test('there are records to look at', () => expect(records.length).toBeGreaterThan(15));

test.each(records)('%s: it leads to the users who created and changed it, and to nobody where a platform did', async (_, one) => {
  const name = `${one.charAt(0).toUpperCase()}${one.slice(1)}`;
  const both = { ...app.platform, user: ada.user };
  expect([
    await does(`create${name}(input: { id: "by-ada" }) ${doers}`, both),
    await does(`update${name}(id: "by-ada", input: {}) ${doers}`, app.platform),
    await does(`upsert${name}(input: { id: "by-ada" }) ${doers}`, both),
    await does(`upsert${name}(input: { id: "by-none" }) ${doers}`, app.platform),
  ]).toEqual([
    { creator: { firstName: 'Ada' }, updater: { firstName: 'Ada' } },
    { creator: { firstName: 'Ada' }, updater: null },
    { creator: { firstName: 'Ada' }, updater: { firstName: 'Ada' } },
    { creator: null, updater: null },
  ]);
});

test('what a rule changes has an updater, too', async () => {
  const game = await does('scheduleGame(input: {}) { id }', ada);
  expect(await does(`optIn(gameId: "${game.id}") ${doers}`, ben)).toEqual({
    creator: { firstName: 'Ada' },
    updater: { firstName: 'Ben' },
  });
});

test('lists are filtered by who made the records; nobody sets it, and ids have no field', async () => {
  await does('createLeague(input: { id: "of-ben" }) { id }', ben);
  const query = (filter: string) => `{ leagues(filter: ${filter}) { nodes { id } } }`;
  const by = await app.graphql(query(`{ creator: { id: { eq: "${ben.id}" } } }`));
  const set = await app.graphql(`mutation { createLeague(input: { createdById: "${ben.id}" }) { id } }`);
  const shown = await app.graphql('{ leagues { nodes { createdById } } }');
  expect([by.leagues.nodes, set.errors, shown.errors]).toEqual([
    [{ id: 'of-ben' }],
    [expect.stringContaining('input.createdById')],
    [expect.stringContaining('createdById')],
  ]);
});

test('a list reads all of its users in one statement, and none where nobody asks', async () => {
  const count = (fields: string) => statementsOf(app, () => app.graphql(`{ leagues(first: 100) { nodes { id ${fields} } } }`));
  const [plain, asked] = [await count('createdBy'), await count('creator { lastName } updater { lastName }')];
  expect(asked - plain).toBe(1);
});

const marks = [
  ['DiscountCode', 'disabledAt', 'disabler'],
  ['League', 'disabledAt', 'disabler'],
  ['NewsItem', 'archivedAt', 'archiver'],
] as const;
test.each(marks)('%s: who set %s stays while nobody sets another', async (name, at, who) => {
  const id = `marked-${name}`;
  const [early, late] = ['2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'];
  const change = async (input: string, tokens: Tokens) => {
    const change = name === 'NewsItem' ? `updateNewsItem(id: "${id}", input: {` : `upsert${name}(input: { id: "${id}"`;
    const changed = await does(`${change} ${input} }) { ${who} { firstName } }`, { ...app.platform, ...tokens });
    return changed[who]?.firstName ?? null;
  };
  await does(`create${name}(input: { id: "${id}", ${at}: "${early}" }) { id }`, { ...app.platform, user: ada.user });
  expect([
    await change('', { user: ben.user }),
    await change(`${at}: "${early}"`, { user: ben.user }),
    await change(`${at}: "${late}"`, { user: ben.user }),
    await change(`${at}: "${late}"`, {}),
    await change(`${at}: "${early}"`, {}),
    await change(`${at}: "${late}"`, { user: ben.user }),
    await change(`${at}: null`, { user: ada.user }),
  ]).toEqual(['Ada', 'Ada', 'Ben', 'Ben', null, 'Ben', null]);
});
