import { readFileSync } from 'node:fs';
import { composeServices } from '@apollo/composition';
import {
  buildSchema,
  type GraphQLObjectType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  parse,
} from 'graphql';
import { expect, test } from 'vitest';
import { forbiddenChanges, incompleteDeprecations } from '../src/commands/breaking-changes.js';
import { emitSchemas, subgraphUrl } from '../src/commands/emit.js';
import { schemaBefore } from '../src/commands/schema-before.js';
import { ownershipOf } from '../src/graphql/federation/ownership.js';
import { graphOfModules } from '../src/graphql/graph.js';
import { maxComplexity } from '../src/graphql/limits/complexity.js';
import { maxDepth } from '../src/graphql/limits/request-limits.js';
import { statuses } from '../src/kernel/declare/errors.js';
import { anyone } from '../src/kernel/declare/policy/policy.js';
import { User } from '../src/modules/accounts/users/user.js';
import { modules } from '../src/modules/index.js';
import {
  describedOf,
  descriptionErrorsOf,
  outsideIds,
  undescribedPrivateFields,
  undescribedRestrictedFields,
  unrelatedIdsOf,
} from './support/checks/schema-descriptions.js';
import { nameErrorsOf } from './support/checks/schema-names.js';

const files = emitSchemas();
const committed = (name: string) => readFileSync(`schema/${name}`, 'utf8');
const graph = buildSchema(files.get('schema.graphql') ?? '');

test.for([...files])('schema/%s is what the code emits (npm run schema)', ([name, text]) => {
  expect(committed(name) === text).toBe(true);
});

test('the schema removes nothing before the announced removal date', async () => {
  const today = new Date().toISOString().slice(0, 10);
  expect(await forbiddenChanges(buildSchema((await schemaBefore('.')) ?? ''), graph, today)).toEqual([]);
});

test('every deprecation names a replacement and the removal date', () => {
  expect(incompleteDeprecations(graph)).toEqual([]);
});

test("the subgraphs compose with Apollo's composition library", () => {
  const services = modules.map(({ name }) => ({
    name,
    url: subgraphUrl(name),
    typeDefs: parse(files.get(`${name}.graphql`) ?? ''),
  }));
  const { errors, supergraphSdl } = composeServices(services);
  expect({ errors, supergraphSdl }).toEqual({ errors: undefined, supergraphSdl: expect.any(String) });
});

test('the description of every distance names its unit', () => {
  const withoutUnit = Object.values(graph.getTypeMap())
    .filter((type) => isObjectType(type) || isInputObjectType(type))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ ...field, coordinate: `${type.name}.${field.name}` })))
    .filter(({ name, description }) => name === 'distance' && !/kilometers.*(?:miles|`unit`)/.test(description ?? ''));
  expect(withoutUnit.map(({ coordinate }) => coordinate)).toEqual([]);
});

test('the modules, one for each subgraph, are those that the service is expected to have', () => {
  expect(modules.map(({ name }) => name).sort()).toEqual([
    'accounts',
    'checkout',
    'engagement',
    'leagues',
    'live',
    'media',
    'news',
    'officiating',
    'rankings',
    'reference',
    'scheduler',
    'tournaments',
    'usage',
  ]);
});

test('every element of the schema has a description without known mistakes', () => {
  expect(descriptionErrorsOf(graph)).toEqual([]);
});

test('no element of the schema has an empty description', () => {
  expect(describedOf(graphOfModules()).filter(({ description }) => description === '')).toEqual([]);
});

test('schema.graphql is smaller than 520 kB', () => {
  expect(Buffer.byteLength(files.get('schema.graphql') ?? '')).toBeLessThan(520_000);
});

test('subgraphs do not describe the generated inputs of records of other modules', () => {
  const { moduleByRecord } = ownershipOf(modules);
  const described = modules.flatMap(({ name: module }) =>
    describedOf(buildSchema(files.get(`${module}.graphql`) ?? '', { assumeValidSDL: true })).flatMap(({ path, description }) => {
      const [, record = ''] = /^(\w+?)(?:List)?(?:Filter|Order|OrderField|Input)(?:\.\w+)?$/.exec(path) ?? [];
      return description && moduleByRecord.has(record) && moduleByRecord.get(record) !== module ? [`${module}: ${path}`] : [];
    }),
  );
  expect(described).toEqual([]);
});

test('the supergraph has all descriptions of the schema', () => {
  const described = (name: string) =>
    describedOf(buildSchema(files.get(name) ?? '', { assumeValidSDL: true }))
      .filter(({ path, description }) => description && path !== 'Query')
      .map(({ path, description }) => `${path}: ${description}`);
  const composed = new Set(described('supergraph.graphql'));
  expect(described('schema.graphql').filter((each) => !composed.has(each))).toEqual([]);
});

test('every custom scalar has a specification URL', () => {
  const scalars = Object.values(graph.getTypeMap()).filter((type) => isScalarType(type) && !isSpecifiedScalarType(type));
  expect(scalars.flatMap((type) => ('specifiedByURL' in type && type.specifiedByURL ? [] : [type.name]))).toEqual([]);
});

test('the schema uses one word for one concept', () => {
  expect(nameErrorsOf(graph)).toEqual([]);
});

test('every guarded field documents who may use it', () => {
  expect(undescribedRestrictedFields(graphOfModules())).toEqual([]);
});

test('every private field documents who can see it', () => {
  expect(
    undescribedPrivateFields(
      graphOfModules(),
      modules.flatMap(({ records }) => records),
    ),
  ).toEqual([]);
});

test('every ID field has a field for its record, or documents that it belongs to another system', () => {
  expect(unrelatedIdsOf(graphOfModules(), outsideIds)).toEqual([]);
});

test('the schema explains headers, limits, errors and paging', () => {
  const phrases = ['PB-API-TOKEN', 'Idempotency-Key', `Depth: ${maxDepth} levels`, `Cost: ${maxComplexity}.`, '`after`'];
  const errorRows = Object.entries(statuses).map(([code, status]) => `| \`${code}\` | ${status} | `);
  expect([...phrases, ...errorRows].filter((text) => !graph.description?.includes(text))).toEqual([]);
});

test('the supergraph has the schema description on its query type, because routers drop the schema description', () => {
  const supergraph = buildSchema(files.get('supergraph.graphql') ?? '', { assumeValidSDL: true });
  expect(supergraph.getQueryType()?.description).toContain(graph.description);
});

const schemaWith = (fields: string) => buildSchema(`"Everything." type Query { ${fields} }`);
test.each([
  ['x: Int', 'Query.x is not described'],
  ['"One." x(y: Int): Int', 'Query.x(y) is not described'],
  ['"one." x: Int', 'Query.x starts with a lowercase letter: one.'],
  ['"One" x: Int', 'Query.x does not end with a period: One'],
  ['"Creates a invoice." x: Int', 'Query.x has the wrong article: Creates a invoice.'],
  ['"A `event`." x: Int', 'Query.x has the wrong article: A `event`.'],
  ['"An user." x: Int', 'Query.x has the wrong article: An user.'],
  ['"The eventId." x: Int', 'Query.x has a name outside backticks: The eventId.'],
  ['"See section 2.7." x: Int', 'Query.x cites a section or a decision: See section 2.7.'],
  ['"The the one." x: Int', 'Query.x repeats a word: The the one.'],
  ['"A user, an hour, a one-time token, an `input`, `eventId` and 8 of 10." x: Int', undefined],
])('checks the description of %s', (fields, mistake) => {
  expect(descriptionErrorsOf(schemaWith(fields))).toEqual(mistake ? [mistake] : []);
});

test('reports enum values and input fields without a description', () => {
  expect(
    descriptionErrorsOf(
      buildSchema('"Everything." type Query { "One." x: E } "A set." enum E { A } "Values." input I { a: Int }'),
    ),
  ).toEqual(['E.A is not described', 'I.a is not described']);
});

test('accepts missing descriptions only of generated fields and standard arguments', () => {
  const schema = buildSchema(`"All." type Query {
      "One." team(id: ID, input: Int, at: Int): Team
      "Many." teams(first: Int, filter: TeamFilter, seed: Int): TeamConnection
    }
    "A team." type Team { "One." seed: Int "Two." location: Place "Three." level: Level }
    "A place." type Place { "City." city: String }
    "Levels." enum Level { "One." PRO }
    "A page." type TeamConnection { nodes: [Team] totalCount: Int }
    "Some." input TeamFilter { seed: Int locationCity: Int level: LevelFilter isOver: Boolean and: [TeamFilter] }
    "Some." input LevelFilter { eq: Level }
    "Order." enum TeamOrderField { SEED LOCATION_CITY IS_OVER }
    "Order." input TeamOrder { field: TeamOrderField }`);
  expect(descriptionErrorsOf(schema)).toEqual([
    'Query.team(at) is not described',
    'Query.teams(seed) is not described',
    'TeamConnection.totalCount is not described',
    'TeamFilter.isOver is not described',
    'TeamOrderField.IS_OVER is not described',
  ]);
});

test('reports a private field that does not document who can see it', () => {
  const schema = buildSchema(
    'type Query { me: User } type User { "One\'s address." email: String "Shown to the user." phone: String }',
  );
  expect(undescribedPrivateFields(schema, [User])).toEqual(['User.email']);
});

test('reports a guarded field that does not document who may use it', () => {
  const schema = schemaWith('"One." x: Int "Two. For: everybody." y: Int');
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) field.extensions = { allow: [anyone] };
  expect(undescribedRestrictedFields(schema)).toEqual(['Query.x']);
});

test('reports ID fields without a field for their record, and wrong entries in the list of exceptions', () => {
  const schema =
    buildSchema(`interface Node { id: ID } type Query { a: A } type B implements Node { id: ID } type Place { city: String }
    type A { bId: ID b: B cIds: [ID] placeId: ID place: Place doneId: ID maker: B deletedBIds: [ID] deletedPlaceIds: [ID]
      "ID in another system. Not an ID in this graph." outId: ID "An id." mumId: ID }`);
  const maker = (schema.getType('A') as GraphQLObjectType).getFields().maker;
  if (maker) maker.extensions = { foreignKey: 'doneId' };
  const exceptions = { 'A.outId': 'elsewhere', 'A.mumId': 'elsewhere', 'A.bId': 'elsewhere', 'A.xId': 'elsewhere' };
  expect(unrelatedIdsOf(schema, exceptions)).toEqual([
    'A.xId is listed, but does not exist',
    'A.bId is listed, but has a relation',
    'A.cIds has no relation',
    'A.placeId has no relation',
    'A.deletedPlaceIds has no relation',
    'A.mumId is not described as "Not an ID in this graph"',
  ]);
});

test.each([
  ['name: String', 'Query.name: use `title`'],
  ['x(name: Int): Int', 'Query.x(name): use `title`'],
  ['isCancelled: Boolean', 'Query.isCancelled: use `canceled`'],
  ['redirectIsActive: Boolean', 'Query.redirectIsActive: use `isEnabled`'],
  ['currencyDetails: Query', 'Query.currencyDetails: use the plain name'],
  ['locationState: String', 'Query.locationState: use the plain name for the record, and the text in `legacy`'],
  ['fooRaw: String', 'Query.fooRaw: use the plain name in `legacy`'],
  ['logo: String', 'Query.logo: use the name with the suffix `Url`'],
  ['pictureUrl: String', 'Query.pictureUrl: use `image`'],
  ['e: E } enum E { IS_ACTIVE', 'E.IS_ACTIVE: use `isEnabled`'],
  ['formatCode: E } enum E { ACTIVE', 'Query.formatCode: use a name that says what the value is, such as `format`'],
  ['eventDate: Instant } scalar Instant type X { a: Int', 'Query.eventDate: use the name with the suffix `At`'],
  [
    'clockChange: Instant } scalar Instant type X { a: Int',
    'Query.clockChange: use the name with the suffix `At`, or with `From`',
  ],
  ['forGuests: Boolean', 'Query.forGuests: use a name that starts with `is`'],
  ['e: E } enum E { ASKED', 'E.ASKED: use a name that says what happened'],
  ['paymentDate: String', 'Query.paymentDate: use the name with the suffix `Time`'],
  ['isMobile: String', 'Query.isMobile: use a name without `is`, or make it a Boolean'],
  ['refundsText: String', 'Query.refundsText: use a name that says what the text is about'],
  ['x(asSent: Boolean): Int', 'Query.x(asSent): use `acceptsLegacyValues`'],
  ['x(i: I): Int } input I { timeZoneRaw: String', 'I.timeZoneRaw: use the plain name in `legacy`'],
])('reports a synonym of an established word: %s', (fields, message) => {
  expect(nameErrorsOf(buildSchema(`type Query { ${fields} }`))).toEqual([expect.stringContaining(message)]);
});

test('accepts a word that has another meaning in its context', () => {
  const fields =
    'title: String image: Query logoUrl: String country: Query state: E details: String x(i: I): Legacy } type Legacy { currency: String } input I { currency: String } enum E { ACTIVE';
  expect(nameErrorsOf(buildSchema(`type Query { ${fields} }`))).toEqual([]);
});
