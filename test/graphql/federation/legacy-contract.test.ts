import { transformSupergraphToPublicSchema } from '@theguild/federation-composition';
import {
  buildASTSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  parse,
  validate,
  validateSchema,
} from 'graphql';
import { expect, test } from 'vitest';
import { supergraphOf } from '../../../src/commands/emit.js';
import { schemaOptions } from '../../../src/commands/schema.js';
import { graphOfModules } from '../../../src/graphql/graph.js';

const publicSchema = (hidesLegacy: boolean): GraphQLSchema =>
  buildASTSchema(transformSupergraphToPublicSchema(parse(supergraphOf({ contract: { hidesLegacy } }))), { assumeValidSDL: true });
const [whole, current] = [publicSchema(false), publicSchema(true)];

const typesOf = (schema: GraphQLSchema): GraphQLNamedType[] =>
  Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

const fieldsOf = (type: GraphQLNamedType): (GraphQLField<unknown, unknown> | GraphQLInputField)[] =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : [];

const argumentsOf = (field: GraphQLField<unknown, unknown> | GraphQLInputField): readonly GraphQLArgument[] =>
  'args' in field ? field.args : [];

/** Returns the coordinates of all types, fields, arguments and enum values, such as `Tournament.title` or `Query.tournament.id`. */
const coordinatesOf = (schema: GraphQLSchema): string[] =>
  typesOf(schema).flatMap((type): string[] => {
    if (isEnumType(type)) return [type.name, ...type.getValues().map(({ name }) => `${type.name}.${name}`)];
    const fields = fieldsOf(type).flatMap((field) => {
      const path = `${type.name}.${field.name}`;
      return [path, ...argumentsOf(field).map(({ name }) => `${path}.${name}`)];
    });
    return [type.name, ...fields];
  });

/** Returns the names of the types that a type refers to. */
function referencesOf(type: GraphQLNamedType): string[] {
  if (isUnionType(type)) return type.getTypes().map(({ name }) => name);
  if (isInterfaceType(type)) return current.getImplementations(type).objects.map(({ name }) => name);
  return fieldsOf(type).flatMap((field) => [field, ...argumentsOf(field)].map((each) => getNamedType(each.type).name));
}

const isOfLegacy = (coordinate: string): boolean => /legacy/i.test(coordinate);
const isRaw = (coordinate: string): boolean => /(?:[a-z]Raw|_RAW)$/.test(coordinate);

test('no name of the graph ends in `Raw`', () => {
  expect(coordinatesOf(graphOfModules()).filter(isRaw)).toEqual([]);
});

test('the contract without the tag `legacy` is valid and contains all other elements', () => {
  expect({
    errors: validateSchema(current).map(({ message }) => message),
    coordinates: coordinatesOf(current),
  }).toEqual({ errors: [], coordinates: coordinatesOf(whole).filter((coordinate) => !isOfLegacy(coordinate)) });
  expect(coordinatesOf(whole).filter(isOfLegacy).length).toBeGreaterThan(200);
});

test('descriptions in the contract without the tag `legacy` do not mention `legacy` values', () => {
  const described = typesOf(current).flatMap((type) => [
    { path: type.name, description: type.description },
    ...fieldsOf(type).map(({ name, description }) => ({ path: `${type.name}.${name}`, description })),
  ]);
  expect(described.filter(({ description }) => description?.includes('`legacy'))).toEqual([]);
});

test('the contract without the tag `legacy` has no unused types', () => {
  const used = new Set(typesOf(current).flatMap(referencesOf));
  const unused = typesOf(current).filter((type) => !used.has(type.name) && !isSpecifiedScalarType(type));
  expect(unused.map(({ name }) => name).sort()).toEqual(['Mutation', 'Query', 'Subscription']);
});

test('inputs, filters and orders take currencies, states and time zones by name without `legacy`', () => {
  const mutation = `mutation { upsertTournament(input: { currency: "USD", timeZone: "America/Chicago", location: { state: "TX" } }) {
    currency { title } timeZone { ianaName } location { state { title } } } }`;
  const query = '{ tournaments(filter: { currency: { eq: "USD" } }, orderBy: [{ field: TIME_ZONE }]) { nodes { id } } }';
  const errorsIn = (document: string) => validate(current, parse(document)).map(({ message }) => message);
  expect({ mutation: errorsIn(mutation), query: errorsIn(query) }).toEqual({ mutation: [], query: [] });
});

test('`--hide-legacy` hides elements with the tag `legacy`, alone and together with `--contract`', () => {
  expect({
    legacy: schemaOptions(['--hide-legacy']).printOptions?.contract,
    both: schemaOptions(['--hide-legacy', '--contract', 'public']).printOptions?.contract,
    neither: schemaOptions(['--policies']).printOptions?.contract,
  }).toEqual({
    legacy: { audience: undefined, hidesLegacy: true },
    both: { audience: 'public', hidesLegacy: true },
    neither: undefined,
  });
});
