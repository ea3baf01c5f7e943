import { afterAll, beforeAll, expect, test } from 'vitest';
import { metaOf, type RecordClass } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { statementsOf } from '../support/checks/statement-counter.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/servers/app.js';

let app: TestApp;
let ada: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp();
  ada = await app.person({ firstName: 'Ada', lastName: 'Min', roles: ['ADMIN'] });
  ben = await app.person({ firstName: 'Ben', lastName: 'Min', roles: ['ADMIN'] });
});
afterAll(() => app.close());

const users = '{ creator { firstName } updater { firstName } }';
const mutate = async (operation: string, tokens: Tokens) =>
  (await app.graphql(`mutation { result: ${operation} }`, {}, tokens)).result;

/** Whether the record has a create, an update and an upsert mutation. */
const isWritten = (cls: RecordClass) => {
  const { rootFields } = optionsOf(cls);
  return !rootFields || (['create', 'update', 'upsert'] as const).every((field) => rootFields.includes(field));
};
const records = modules
  .flatMap((module) => module.records)
  .filter((cls) => isWritten(cls) && metaOf(cls).fields.has('updatedById') && !optionsOf(cls).key)
  .map((cls) => [cls.name, optionsOf(cls).one] as const);

test('more than 15 records have a creator and an updater', () => expect(records.length).toBeGreaterThan(15));

test.each(records)('the creator and updater of a %s are users, or null for a platform', async (_, one) => {
  const name = `${one.charAt(0).toUpperCase()}${one.slice(1)}`;
  const platformWithUser = { ...app.platform, user: ada.user };
  expect({
    createdByUser: await mutate(`create${name}(input: { id: "by-ada" }) ${users}`, platformWithUser),
    updatedByPlatform: await mutate(`update${name}(id: "by-ada", input: {}) ${users}`, app.platform),
    upsertedByUser: await mutate(`upsert${name}(input: { id: "by-ada" }) ${users}`, platformWithUser),
    upsertedByPlatform: await mutate(`upsert${name}(input: { id: "by-none" }) ${users}`, app.platform),
  }).toEqual({
    createdByUser: { creator: { firstName: 'Ada' }, updater: { firstName: 'Ada' } },
    updatedByPlatform: { creator: { firstName: 'Ada' }, updater: null },
    upsertedByUser: { creator: { firstName: 'Ada' }, updater: { firstName: 'Ada' } },
    upsertedByPlatform: { creator: null, updater: null },
  });
});

test('a player who joins a game is not its updater, because the game may hide its players', async () => {
  const game = await mutate('scheduleGame(input: { startsAt: "2041-06-02T14:30:00Z" }) { id }', ada);
  expect(await mutate(`optIn(gameId: "${game.id}") ${users}`, ben)).toEqual({
    creator: { firstName: 'Ada' },
    updater: { firstName: 'Ada' },
  });
});

test('a list is filtered by the creator of its records', async () => {
  await mutate('createLeague(input: { id: "of-ben" }) { id }', ben);
  const { leagues } = await app.graphql(`{ leagues(filter: { creator: { id: { eq: "${ben.id}" } } }) { nodes { id } } }`);
  expect(leagues.nodes).toEqual([{ id: 'of-ben' }]);
});

test('createdById is neither an input field nor an output field', async () => {
  const { errors: inputErrors } = await app.graphql(`mutation { createLeague(input: { createdById: "${ben.id}" }) { id } }`);
  const { errors: outputErrors } = await app.graphql('{ leagues { nodes { createdById } } }');
  expect({ inputErrors, outputErrors }).toEqual({
    inputErrors: [expect.stringContaining('input.createdById')],
    outputErrors: [expect.stringContaining('createdById')],
  });
});

test('a list reads all creators and updaters in one statement, and none if they are not selected', async () => {
  const count = (fields: string) => statementsOf(app, () => app.graphql(`{ leagues(first: 100) { nodes { id ${fields} } } }`));
  const statementsWithoutUsers = await count('createdBy');
  const statementsWithUsers = await count('creator { lastName } updater { lastName }');
  expect(statementsWithUsers - statementsWithoutUsers).toBe(1);
});

const timestampFields = [
  ['DiscountCode', 'disabledAt', 'disabler'],
  ['League', 'disabledAt', 'disabler'],
  ['NewsItem', 'archivedAt', 'archiver'],
] as const;
test.each(timestampFields)(
  '%s: a write that does not change %s does not change the user in %s',
  async (name, timestamp, userField) => {
    const id = `marked-${name}`;
    const [early, late] = ['2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'];
    const userAfter = async (input: string, tokens: Tokens) => {
      const write = name === 'NewsItem' ? `updateNewsItem(id: "${id}", input: {` : `upsert${name}(input: { id: "${id}"`;
      const record = await mutate(`${write} ${input} }) { ${userField} { firstName } }`, { ...app.platform, ...tokens });
      return record[userField]?.firstName ?? null;
    };
    await mutate(`create${name}(input: { id: "${id}", ${timestamp}: "${early}" }) { id }`, { ...app.platform, user: ada.user });
    expect({
      absentFromBen: await userAfter('', { user: ben.user }),
      sameFromBen: await userAfter(`${timestamp}: "${early}"`, { user: ben.user }),
      laterFromBen: await userAfter(`${timestamp}: "${late}"`, { user: ben.user }),
      sameFromPlatform: await userAfter(`${timestamp}: "${late}"`, {}),
      earlierFromPlatform: await userAfter(`${timestamp}: "${early}"`, {}),
      laterFromBenAgain: await userAfter(`${timestamp}: "${late}"`, { user: ben.user }),
      nullFromAda: await userAfter(`${timestamp}: null`, { user: ada.user }),
    }).toEqual({
      absentFromBen: 'Ada',
      sameFromBen: 'Ada',
      laterFromBen: 'Ben',
      sameFromPlatform: 'Ben',
      earlierFromPlatform: null,
      laterFromBenAgain: 'Ben',
      nullFromAda: null,
    });
  },
);
