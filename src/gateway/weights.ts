import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { isLegacy } from '../kernel/declare/shown.js';
import { defaultFirst } from '../kernel/read/part.js';
import { PageInfo } from '../kernel/serve/connection.js';

/** Items of a list that no argument sizes. */
export const assumedItems = 10;
/** What a mutation costs itself. */
export const mutationCost = 10;

type Field = GraphQLField<unknown, unknown>;

export const isConnectionType = (type: GraphQLOutputType): boolean => getNamedType(type).extensions.connection === true;
const isList = (type: GraphQLOutputType): boolean => isListType(getNullableType(type));

/**
 * Cost of a field without its selections. Fields of a connection cost nothing, because its items are counted. The field `legacy` costs nothing,
 * because its fields are counted. Used for the `@cost` directives of routers and for the costs of operations in this service.
 */
export function weightOf({ name, extensions }: GraphQLNamedType, field: Field): number {
  if (name === 'Mutation') return mutationCost;
  return extensions.connection || name === PageInfo.name || field.name === '__typename' || isLegacy(field) ? 0 : 1;
}

/** What a field costs where nothing else is said (the cost specification of IBM). */
const usual = ({ type }: Field): number => (isLeafType(getNamedType(type)) ? 0 : 1);

/** How many items a list has that no argument sizes; 1 for what is no list, and for the lists of connections, which these have counted. */
export const itemsOf = (type: GraphQLNamedType, field: Field): number =>
  isList(field.type) && !type.extensions.connection && !type.name.startsWith('__') ? assumedItems : 1;

/** How many input objects stand in a value: each costs 1. */
export function inputsIn(value: unknown, type: GraphQLInputType): number {
  const bare = getNullableType(type);
  if (isListType(bare)) {
    const items = Array.isArray(value) ? value : [value];
    return items.reduce<number>((sum, item) => sum + inputsIn(item, bare.ofType), 0);
  }
  if (!isInputObjectType(bare) || typeof value !== 'object' || value === null) return 0;
  const fields = bare.getFields();
  return Object.entries(value).reduce((sum, [key, inner]) => sum + (fields[key] ? inputsIn(inner, fields[key].type) : 0), 1);
}

const quoted = (names: readonly string[]): string => `[${names.map((name) => JSON.stringify(name)).join(', ')}]`;

function* sizesOf(type: GraphQLNamedType, field: Field): Iterable<string> {
  const connection = getNamedType(field.type);
  if (isConnectionType(field.type) && isObjectType(connection)) {
    const slicing = field.args.map(({ name }) => name).filter((name) => name === 'first' || name === 'last');
    const sized = Object.values(connection.getFields()).filter((inner) => isList(inner.type));
    yield `@listSize(assumedSize: ${defaultFirst}, slicingArguments: ${quoted(slicing)}, sizedFields: ${quoted(sized.map(({ name }) => name))}, requireOneSlicingArgument: false)`;
  } else if (isList(field.type) && !type.extensions.connection) {
    // Its length is that of an argument, which the directive cannot say: the most that there may be.
    const { most } = field.extensions;
    yield `@listSize(assumedSize: ${typeof most === 'number' ? most : assumedItems})`;
  }
}

/** The directives by which routers know what a field costs. */
export function* costDirectives(type: GraphQLNamedType, field: Field): Iterable<string> {
  yield* sizesOf(type, field);
  const weight = weightOf(type, field);
  if (weight !== usual(field)) yield `@cost(weight: ${weight})`;
}
