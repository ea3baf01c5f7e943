import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  admin = await app.person({ isSuperAdmin: true });
  await app.graphql(
    `mutation { createSponsor(input: { id: "sponsor" }) { id }
       upsertUser(input: { id: "ana" }) { id } }`,
  );
  await app.sql.rows(`insert into game (id, owner_id) values ('game', 'ana')`);
  await app.sql.rows(`insert into category (id) values ('category')`);
});
afterAll(() => app.close());

const long = 'x'.repeat(10_001);

/** Returns the sorted paths of all problems that a request reports in a single error. */
async function problemPaths(query: string, variables: object): Promise<string[]> {
  const tokens = /Platform|Category/.test(query) ? { user: admin.user } : app.platform;
  const { body } = await app.rest('POST', '/graphql', tokens, { query, variables });
  expect(body.errors).toHaveLength(1);
  return body.errors[0].extensions.problems.map(({ field }: { field: string }) => field).toSorted();
}

type Case = [mutation: string, type: string, wrongTypes: object, wrongValues: object, fields: string[], missing?: string[]];

/** `fields` contains the paths in `wrongValues` that break rules. `missing` contains required fields that the input does not have. */
const inputs: Case[] = [
  [
    'createPlatform(input: $input) { token }',
    'PlatformInput',
    { isEnabled: 'yes' },
    { title: '', domain: long, allowedOrigins: ['https://a.example', 'b'] },
    ['title', 'domain', 'allowedOrigins[1]'],
  ],
  [
    'createPublishableKey(input: $input) { key }',
    'PublishableKeyInput',
    { platformId: {} },
    { label: long, allowedOrigins: Array(101).fill('b').fill('https://a.example', 1) },
    ['label', 'allowedOrigins', 'allowedOrigins[0]'],
  ],
  ['upsertUser(input: $input) { id }', 'UserInput', { firstName: 7 }, { email: 'nowhere', city: long }, ['email', 'city']],
  [
    'scheduleGame(input: $input) { id }',
    'GameInput',
    { maxPlayers: 'many' },
    { ownerId: 'ana', startsAt: '2041-01-01T00:00:00Z', title: long, invitedEmails: ['ana@example.com', 'nobody'] },
    ['title', 'invitedEmails[1]'],
  ],
  [
    'register(input: $input) { isMailSent }',
    'RegisterInput',
    { gender: 'X' },
    { email: 'nobody', password: 'short', phone: '1', customUrl: 'x', dateOfBirth: '9999-01-01T00:00:00Z', firstName: long },
    ['email', 'password', 'phone', 'customUrl', 'dateOfBirth', 'firstName'],
  ],
  [
    'contact(input: $input) { isMailSent }',
    'ContactInput',
    { reasonId: {} },
    { email: 'nobody', details: ' ', fullName: long, phone: long },
    ['email', 'details', 'fullName', 'phone'],
  ],
  [
    'placeToken(input: $input) { token }',
    'PlaceTokenInput',
    { email: 7 },
    { token: 'short', userId: 'ana', expiresAt: '2001-01-01T00:00:00Z' },
    ['token', 'expiresAt'],
  ],
  [
    'createSponsor(input: $input) { id }',
    'SponsorSubmission',
    { displayOrder: 'first' },
    { title: long, size: long, images: [{}, { url: long }, ...Array(99).fill({})] },
    ['title', 'size', 'images', 'images[1].url'],
  ],
  ['createSponsorImage(input: $input) { id }', 'SponsorImageInput', { isPrimary: 7 }, { url: long }, ['url'], ['sponsorId']],
  [
    'createUserImage(userId: "ana", input: $input) { id }',
    'UserImageInput',
    { reported: { createdAt: 'yesterday' } },
    { url: long },
    ['url'],
    ['type'],
  ],
  [
    'upsertRankingPoints(input: $input) { id }',
    'RankingPointsInput',
    { points: 'many' },
    { eventTitle: long },
    ['eventTitle'],
    ['playerId', 'eventId'],
  ],
];

const pathsOf = (value: object, path = 'input'): string[] =>
  Object.entries(value).flatMap(([key, inner]) => (key === 'reported' ? pathsOf(inner, `${path}.${key}`) : [`${path}.${key}`]));

test.for(inputs)(
  '%s reports broken rules of its input together, and along with wrong types',
  async ([mutation, type, wrongTypes, wrongValues, fields, missing = []]) => {
    const query = `mutation ($input: ${type}!) { ${mutation} }`;
    const brokenRules = [...fields, ...missing].map((field) => `input.${field}`);
    expect({
      ofWrongValues: await problemPaths(query, { input: wrongValues }),
      ofWrongTypesAndValues: await problemPaths(query, { input: { ...wrongTypes, ...wrongValues } }),
    }).toEqual({
      ofWrongValues: brokenRules.toSorted(),
      ofWrongTypesAndValues: [...brokenRules, ...pathsOf(wrongTypes)].toSorted(),
    });
  },
);

test('a filter reports broken rules along with wrong types', async () => {
  const query = 'query ($filter: TournamentFilter) { tournaments(filter: $filter) { totalCount } }';
  const near = { latitude: 91, longitude: 'west', distance: -1 };
  expect(await problemPaths(query, { filter: { or: [{ near }] } })).toEqual(
    ['distance', 'latitude', 'longitude'].map((field) => `filter.or[0].near.${field}`),
  );
});

test('a list reports all invalid items together', async () => {
  const query = 'query ($ids: [ID!]) { teams(filter: { id: { in: $ids } }) { totalCount } }';
  expect(await problemPaths(query, { ids: ['\0', 'a', '\0'] })).toEqual(['filter.id.in[0]', 'filter.id.in[2]']);
});

test.for<[mutation: string, type: string, input: unknown, fields: string[]]>([
  ['createUserImage(userId: $input, input: { id: $input }) { id }', 'ID', long, ['userId', 'input.id', 'input.type']],
  [
    'updateSponsor(id: "sponsor", input: $input) { id }',
    'SponsorSubmission',
    { id: 'b', title: long },
    ['input.id', 'input.title'],
  ],
  [
    'updateCategory(id: "category", input: $input) { isChanged }',
    'CategoryInput',
    { id: 'b', title: long },
    ['input.id', 'input.title'],
  ],
  ['updateGame(id: "game", input: $input) { id }', 'GameInput', { id: 'b', title: long }, ['input.id', 'input.title']],
  ['resetPassword(value: $input, password: "x") { id }', 'String', '123456', ['email', 'password']],
  ['sendLeagueMessage(userIds: [], text: $input) { skipped }', 'String', '', ['text', 'userIds']],
  ['sendLeagueEmail(userIds: [], title: "", body: $input) { skipped }', 'String', ' ', ['body', 'userIds']],
  ['addFavorite(kind: GAME, subjectId: $input, userId: $input) { id }', 'ID', '', ['subjectId', 'userId']],
])('%s reports all invalid arguments together', async ([mutation, type, input, fields]) => {
  expect(await problemPaths(`mutation ($input: ${type}!) { ${mutation} }`, { input })).toEqual(fields.toSorted());
});
