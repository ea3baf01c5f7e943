import { readFileSync } from 'node:fs';
import { buildSchema, getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogOf } from '../../src/commands/sdk/catalog/catalog.js';
import type { FieldType, RequiredRoles } from '../../src/commands/sdk/catalog/types.js';
import { insertDemoKey } from '../support/fixtures/publishable-keys.js';
import { type Person, startApp, type TestApp } from '../support/servers/app.js';

const sdl = readFileSync('schema/schema.graphql', 'utf8');
const schema = buildSchema(sdl);
const { records, objects, enums } = catalogOf(sdl);
const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
const isRecord = (name: string) => {
  const type = schema.getType(name);
  return isObjectType(type) && type.getInterfaces().some(({ name: implemented }) => implemented === 'Node');
};

test('every record type that a query lists is in the catalog', () => {
  const listed = queries.flatMap(({ type }) => /^(\w+)Connection$/.exec(getNamedType(type).name)?.[1] ?? []).filter(isRecord);
  expect(Object.keys(records).sort()).toEqual([...new Set(listed)].sort());
});

test('a record type that is added to the schema is added to the catalog', () => {
  const extended = `${sdl}
    extend type Query {
      "A court. For: users with the role REFEREE."
      court(id: ID!): Court
      "A list of courts. For: users with the role REFEREE."
      courts(first: Int, after: String, filter: CourtFilter, orderBy: [CourtOrder!]): CourtConnection
    }
    extend type Mutation { "Creates a court. For: platforms; super admins." createCourt(input: CourtInput!): Court }
    "Court of a club."
    type Court implements Node {
      nodeId: ID! id: ID! title: String "Surface." surface: Surface startsAt: Instant price: Money
      "ID of \`club\`." clubId: ID club: Club currency: Currency "ID of the format." formatId: ID format: Format
    }
    enum Surface { CLAY GRASS }
    type CourtConnection { nodes: [Court!]! pageInfo: PageInfo! totalCount: Int! }
    input CourtFilter { title: TextFilter clubId: IdFilter isOpen: Boolean }
    input CourtOrder { field: CourtOrderField! direction: Direction! = ASC }
    enum CourtOrderField { TITLE STARTS_AT }
    input CourtInput { "Title." title: String "Surface." surface: Surface clubId: ID currency: String }`;
  const { Court: court, ...others } = catalogOf(extended).records;
  expect({ court, others: Object.keys(others).length }).toEqual({
    others: Object.keys(records).length,
    court: {
      help: 'Court of a club.',
      one: 'court',
      many: 'courts',
      roles: ['REFEREE'],
      fields: [
        { name: 'id', type: 'ID', isRequired: true },
        { name: 'title', type: 'String' },
        { name: 'surface', type: 'Surface', help: 'Surface.' },
        { name: 'startsAt', type: 'Instant' },
        { name: 'price', type: 'Money' },
        { name: 'clubId', type: 'ID', help: 'ID of `club`.', relation: 'club', record: 'Club' },
        { name: 'club', type: 'Club' },
        { name: 'currency', type: 'Currency' },
        { name: 'formatId', type: 'ID', help: 'ID of the format.', relation: 'format', record: 'Format' },
        { name: 'format', type: 'Format' },
      ],
      filters: [
        { name: 'title', type: 'String' },
        { name: 'clubId', type: 'ID', record: 'Club' },
        { name: 'isOpen', type: 'Boolean', form: 'value' },
      ],
      orders: ['TITLE', 'STARTS_AT'],
      label: ['title'],
      columns: ['surface', 'club', 'format', 'startsAt', 'price'],
      currency: 'currency.abbreviation',
      search: 'title',
      create: {
        name: 'createCourt',
        help: 'Creates a court.',
        args: [{ name: 'input', type: 'CourtInput', isRequired: true }],
        roles: ['super admin'],
      },
    },
  });
});

test('every mutation that creates, updates or deletes one record is offered', () => {
  const offered = new Set(
    Object.values(records).flatMap(({ create, update, remove }) => [create?.name, update?.name, remove?.name]),
  );
  const known = mutations.filter(({ name, type }) => /^(?:create|update|delete)[A-Z]/.test(name) && isRecord(String(type)));
  expect(known.flatMap(({ name }) => (offered.has(name) ? [] : [name]))).toEqual([
    // Updates only the signed-in user.
    'updateProfile',
  ]);
});

test('all referenced types are in the catalog', () => {
  const scalars = ['ID', 'String', 'Int', 'Float', 'Boolean', 'Instant', 'Date', 'LocalDateTime', 'Money', 'JSON'];
  const known = new Set([...scalars, ...Object.keys(records), ...Object.keys(objects), ...Object.keys(enums)]);
  const unions = new Set(Object.keys(catalogOf(sdl).unions));
  const fields = [
    ...Object.values(records).flatMap(({ fields: own, filters }) => [...own, ...filters]),
    ...Object.values(objects).flat(),
  ];
  expect(fields.flatMap(({ name, type }) => (known.has(type) || unions.has(type) ? [] : [`${name}: ${type}`]))).toEqual([]);
});

test('record types have the expected labels, columns and currency', () => {
  const shown = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, [records[name]?.label.join(' '), records[name]?.columns.join(' ')]]));
  expect(shown('Tournament', 'Team', 'User', 'Payment', 'Favorite', 'State')).toEqual({
    Tournament: ['title', 'phase format club tierLevel location.city startsAt'],
    Team: ['playerOne playerTwo', 'event tournament updatedAt ranking rating seed'],
    User: ['firstName lastName', 'email country state city dateOfBirth updatedAt'],
    Payment: ['invoice', 'method paidAt amount updatedAt transactionId memo'],
    Favorite: ['user subject', 'kind subjectId createdAt'],
    State: ['title', 'country code abbreviation'],
  });
  expect(records.Payment?.currency).toBe('invoice.amounts.currency.abbreviation');
});

test('every amount has a currency, or its description says that it has none', () => {
  const withoutCurrency = (path: string, fields: readonly FieldType[]) =>
    fields.flatMap(({ name, type }) =>
      type === 'Money' && !/InUsd$/.test(name) && !fields.some((each) => each.type === 'Currency') ? [`${path}.${name}`] : [],
    );
  const amounts = Object.entries(records).flatMap(([name, { fields, currency }]) =>
    currency ? [] : withoutCurrency(name, fields),
  );
  const values = Object.entries(objects).filter(([name]) => isObjectType(schema.getType(name)));
  expect({
    withoutCurrency: [...amounts, ...values.flatMap(([name, fields]) => withoutCurrency(name, fields))],
    discount: records.DiscountCode?.currency,
  }).toEqual({
    // The description says that the currency is not specified.
    withoutCurrency: ['GoverningBodyTerms.additionalFee'],
    discount: 'tournament.currency.abbreviation',
  });
});

test('input lists that are merged with the stored items name the field that identifies an item', () => {
  const merged = Object.entries(objects).flatMap(([type, fields]) =>
    fields.flatMap(({ name, mergedBy }) => (mergedBy ? [`${type}.${name} by ${mergedBy}`] : [])),
  );
  expect(merged).toEqual(['TournamentInput.sanctions by body']);
});

test('picture fields are marked', () => {
  const types = [...Object.entries(records).map(([name, { fields }]) => [name, fields] as const), ...Object.entries(objects)];
  const pictures = types.flatMap(([type, fields]) =>
    fields.flatMap(({ name, isPicture }) => (isPicture ? `${type}.${name}` : [])),
  );
  expect(pictures.sort()).toEqual([
    'GameGroup.imageUrl',
    'GoverningBody.logoUrl',
    'League.clubLogoUrl',
    'League.logoUrl',
    'NewsImage.smallCardUrl',
    'NewsImage.thumbnailUrl',
    'NewsImage.url',
    'NewsOutlet.logoUrl',
    'Sanction.levelLogoUrl',
    'SponsorImage.url',
    'TitleSponsor.logoUrl',
    'Tournament.logoUrl',
    'Tournament.scrollerLogoUrl',
    'User.imageUrl',
    'UserImage.url',
  ]);
});

test('permitted callers come from the descriptions', () => {
  const required = Object.fromEntries(
    ['Tournament', 'Registration', 'Payment', 'NewsItem', 'GameGroup'].map((name) => [name, records[name]?.create?.roles]),
  );
  expect(required).toEqual({
    Tournament: ['ADMIN'],
    // Players can create their own registrations.
    Registration: undefined,
    Payment: [],
    NewsItem: ['ADMIN', 'NEWS_CREATOR', 'NEWS_ADMIN'],
    GameGroup: undefined,
  });
});

describe('for each role', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
    await insertDemoKey(app);
  });
  afterAll(() => app.close());

  /** Returns the record types that the caller is not permitted to list. */
  async function refusedTypes({ user }: Person): Promise<string[]> {
    const required = ({ requires = [] }: (typeof records)[string]) => requires.map(({ name }) => `, ${name}: "unknown"`).join('');
    const lists = Object.values(records).map((type) => `${type.many}(first: 0${required(type)}) { totalCount }`);
    const answer = await app.graphql(`{ ${lists.join(' ')} }`, {}, { user, platform: app.demoKey });
    const data = answer.errors ? answer.data : answer;
    return Object.entries(records).flatMap(([name, { many }]) => (data[many] === null ? [name] : []));
  }

  test.each([
    ['super admin', []],
    ['ADMIN', ['ADMIN', 'REFEREE', 'NEWS_CREATOR']],
    ['REFEREE', ['REFEREE']],
    ['NEWS_CREATOR', ['NEWS_CREATOR']],
  ])('the console offers the lists that the service permits: %s', async (role, permitted) => {
    const isSuperAdmin = role === 'super admin';
    const person = await app.person({ isSuperAdmin, roles: isSuperAdmin ? [] : [role] });
    const isIn = (roles: RequiredRoles | undefined) =>
      roles === undefined || (isSuperAdmin && roles.length > 0) || roles.some((each) => permitted.includes(each));
    const hidden = Object.entries(records).flatMap(([name, { roles }]) => (isIn(roles) ? [] : [name]));
    expect(hidden.sort()).toEqual((await refusedTypes(person)).sort());
  });
});
