import { readFileSync } from 'node:fs';
import { composeServices } from '@apollo/composition';
import { buildSchema, type GraphQLObjectType, isScalarType, isSpecifiedScalarType, parse } from 'graphql';
import { expect, test } from 'vitest';
import { emit, subgraphUrl } from '../src/commands/emit.js';
import { refusedChanges, vagueDeprecations } from '../src/commands/policy-for-change.js';
import { schemaBefore } from '../src/commands/schema-before.js';
import { maxComplexity } from '../src/gateway/complexity.js';
import { graphOfModules } from '../src/gateway/graph.js';
import { maxDepth } from '../src/gateway/limits.js';
import { statuses } from '../src/kernel/declare/errors.js';
import { anyone } from '../src/kernel/declare/policy.js';
import { User } from '../src/modules/accounts/user.js';
import { modules } from '../src/modules/index.js';
import { outsideIds, silentGuardsOf, silentPrivatesOf, slipsOf, strayIdsOf } from './support/schema-rules.js';
import { oddWordsOf } from './support/schema-words.js';

const files = emit();
const committed = (name: string) => readFileSync(`schema/${name}`, 'utf8');
const graph = buildSchema(files.get('schema.graphql') ?? '');

test.for([...files])('schema/%s is what the code emits (npm run schema)', ([name, text]) => {
  expect(committed(name) === text).toBe(true);
});

test('no change breaks clients of the schema that they know before its day', async () => {
  const today = new Date().toISOString().slice(0, 10);
  expect(await refusedChanges(buildSchema((await schemaBefore('.')) ?? ''), graph, today)).toEqual([]);
});

test('what is deprecated says what to use, and from which day on it may be gone', () => {
  expect(vagueDeprecations(graph)).toEqual([]);
});

test("the subgraphs compose with Apollo's composition too", () => {
  const services = modules.map(({ name }) => ({
    name,
    url: subgraphUrl(name),
    typeDefs: parse(files.get(`${name}.graphql`) ?? ''),
  }));
  const { errors, supergraphSdl } = composeServices(services);
  expect([errors, typeof supergraphSdl]).toEqual([undefined, 'string']);
});

test('there is a subgraph for each module of the design', () => {
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

test('everything is described, in English without slips', () => {
  expect(slipsOf(graph)).toEqual([]);
});

test('every scalar of our own is specified somewhere', () => {
  const scalars = Object.values(graph.getTypeMap()).filter((type) => isScalarType(type) && !isSpecifiedScalarType(type));
  expect(scalars.flatMap((type) => ('specifiedByURL' in type && type.specifiedByURL ? [] : [type.name]))).toEqual([]);
});

test('one thing has one word', () => {
  expect(oddWordsOf(graph)).toEqual([]);
});

test('every guarded field says whom it lets in', () => {
  expect(silentGuardsOf(graphOfModules())).toEqual([]);
});

test('every private field says who sees it', () => {
  expect(
    silentPrivatesOf(
      graphOfModules(),
      modules.flatMap(({ records }) => records),
    ),
  ).toEqual([]);
});

test('every id leads to a record, or says that it is one of another system', () => {
  expect(strayIdsOf(graphOfModules(), outsideIds)).toEqual([]);
});

test('the schema explains headers, limits, errors and paging', () => {
  const explained = ['PB-API-TOKEN', 'Idempotency-Key', `Depth: ${maxDepth} levels`, `Cost: ${maxComplexity}.`, '`after`'];
  const codes = Object.entries(statuses).map(([code, status]) => `| \`${code}\` | ${status} | `);
  expect([...explained, ...codes].filter((text) => !graph.description?.includes(text))).toEqual([]);
});

test('so does what a router serves, whose schema has no description', () => {
  const supergraph = buildSchema(files.get('supergraph.graphql') ?? '', { assumeValidSDL: true });
  expect(supergraph.getQueryType()?.description).toContain(graph.description);
});

const sdl = (described: string) => buildSchema(`"Everything." type Query { ${described} }`);
test.each([
  ['x: Int', 'Query.x is not described'],
  ['"One." x(y: Int): Int', 'Query.x(y) is not described'],
  ['"one." x: Int', 'Query.x starts with a small letter: one.'],
  ['"One" x: Int', 'Query.x does not end with a full stop: One'],
  ['"Creates a invoice." x: Int', 'Query.x has the wrong article: Creates a invoice.'],
  ['"A `event`." x: Int', 'Query.x has the wrong article: A `event`.'],
  ['"An user." x: Int', 'Query.x has the wrong article: An user.'],
  ['"The eventId." x: Int', 'Query.x has a name outside backticks: The eventId.'],
  ['"See section 2.7." x: Int', 'Query.x cites a section or a decision: See section 2.7.'],
  ['"The the one." x: Int', 'Query.x says a word twice: The the one.'],
  ['"A user, an hour, a one-time token, an `input`, `eventId` and 8 of 10." x: Int', undefined],
])('a slip is told: %s', (described, slip) => {
  expect(slipsOf(sdl(described))).toEqual(slip ? [slip] : []);
});

test('values of enumerations and fields of inputs are described, too', () => {
  expect(
    slipsOf(buildSchema('"Everything." type Query { "One." x: E } "A set." enum E { A } "Values." input I { a: Int }')),
  ).toEqual(['E.A is not described', 'I.a is not described']);
});

test('a private field that does not say who sees it is found', () => {
  const schema = buildSchema(
    'type Query { me: User } type User { "One\'s address." email: String "Shown to the user." phone: String }',
  );
  expect(silentPrivatesOf(schema, [User])).toEqual(['User.email']);
});

test('a guard that is not told of is found', () => {
  const schema = sdl('"One." x: Int "Two. For: everybody." y: Int');
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) field.extensions = { allow: [anyone] };
  expect(silentGuardsOf(schema)).toEqual(['Query.x']);
});

test('an id that leads nowhere is found, and what is wrong with a list of those that may', () => {
  const schema =
    buildSchema(`interface Node { id: ID } type Query { a: A } type B implements Node { id: ID } type Place { city: String }
    type A { bId: ID b: B cIds: [ID] placeId: ID place: Place doneId: ID maker: B
      "An id of elsewhere; no record of this graph has it." outId: ID "An id." mumId: ID }`);
  const maker = (schema.getType('A') as GraphQLObjectType).getFields().maker;
  if (maker) maker.extensions = { foreignKey: 'doneId' };
  const listed = { 'A.outId': 'elsewhere', 'A.mumId': 'elsewhere', 'A.bId': 'elsewhere', 'A.xId': 'elsewhere' };
  expect(strayIdsOf(schema, listed)).toEqual([
    'A.xId is listed, and is not there',
    'A.bId is listed, and leads to a record',
    'A.cIds leads nowhere',
    'A.placeId leads nowhere',
    'A.mumId does not say that no record has it',
  ]);
});

test.each([
  ['name: String', 'Query.name: say `title`'],
  ['x(name: Int): Int', 'Query.x(name): say `title`'],
  ['isCancelled: Boolean', 'Query.isCancelled: say `canceled`'],
  ['redirectIsActive: Boolean', 'Query.redirectIsActive: say `isEnabled`'],
  ['currencyDetails: Query', 'Query.currencyDetails: say the plain name'],
  ['locationState: String', 'Query.locationState: say the name with `Raw` behind it'],
  ['logo: String', 'Query.logo: say the name with `Url` behind it'],
  ['pictureUrl: String', 'Query.pictureUrl: say `image`'],
  ['e: E } enum E { IS_ACTIVE', 'E.IS_ACTIVE: say `isEnabled`'],
  ['x(i: I): Int } input I { timeZone: String', 'I.timeZone: say the name with `Raw` behind it'],
])('another word for one thing is told: %s', (fields, told) => {
  expect(oddWordsOf(buildSchema(`type Query { ${fields} }`))).toEqual([expect.stringContaining(told)]);
});

test('a word is right where it means something else', () => {
  const right =
    'title: String image: Query logoUrl: String currencyRaw: String country: Query state: E details: String } enum E { ACTIVE';
  expect(oddWordsOf(buildSchema(`type Query { ${right} }`))).toEqual([]);
});
