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
import { isLegacy } from '../../kernel/declare/fields/legacy-fields.js';
import { defaultFirst } from '../../kernel/read/paging/page-args.js';
import { PageInfo } from '../../kernel/serve/connection.js';

/** Assumed number of items in a list without a size argument. */
export const assumedItems = 10;
/** Cost of a mutation without its selections. */
export const mutationCost = 10;

type Field = GraphQLField<unknown, unknown>;

export const isConnectionType = (type: GraphQLOutputType): boolean => getNamedType(type).extensions.connection === true;
const isList = (type: GraphQLOutputType): boolean => isListType(getNullableType(type));

/**
 * Returns the cost of a field without its selections. Fields of a connection and the field `legacy` cost nothing, because their items and
 * fields are counted instead. Used for the `@cost` directives and for the cost limit of this service.
 */
export function weightOf({ name, extensions }: GraphQLNamedType, field: Field): number {
  if (name === 'Mutation') return mutationCost;
  return extensions.connection || name === PageInfo.name || field.name === '__typename' || isLegacy(field) ? 0 : 1;
}

/** Returns the default weight of a field (IBM cost specification). */
const defaultCost = ({ type }: Field): number => (isLeafType(getNamedType(type)) ? 0 : 1);

/**
 * Returns the assumed number of items that a field returns. It is 1 for a field that is not a list, and for the lists in a connection,
 * because the connection already counts their items.
 */
export const itemsOf = (type: GraphQLNamedType, field: Field): number =>
  isList(field.type) && !type.extensions.connection && !type.name.startsWith('__') ? assumedItems : 1;

/** Returns the number of input objects in a value, including nested objects. Each object costs 1. */
export function countInputs(value: unknown, type: GraphQLInputType): number {
  const nullableType = getNullableType(type);
  if (isListType(nullableType)) {
    const items = Array.isArray(value) ? value : [value];
    return items.reduce<number>((sum, item) => sum + countInputs(item, nullableType.ofType), 0);
  }
  if (!isInputObjectType(nullableType) || typeof value !== 'object' || value === null) return 0;
  const fields = nullableType.getFields();
  return Object.entries(value).reduce(
    (sum, [key, fieldValue]) => sum + (fields[key] ? countInputs(fieldValue, fields[key].type) : 0),
    1,
  );
}

const quotedList = (names: readonly string[]): string => `[${names.map((name) => JSON.stringify(name)).join(', ')}]`;

function* listSizeDirectives(type: GraphQLNamedType, field: Field): Iterable<string> {
  const connection = getNamedType(field.type);
  if (isConnectionType(field.type) && isObjectType(connection)) {
    const slicing = field.args.map(({ name }) => name).filter((name) => name === 'first' || name === 'last');
    const sizedFields = Object.values(connection.getFields()).filter((connectionField) => isList(connectionField.type));
    yield `@listSize(assumedSize: ${defaultFirst}, slicingArguments: ${quotedList(slicing)}, sizedFields: ${quotedList(sizedFields.map(({ name }) => name))}, requireOneSlicingArgument: false)`;
  } else if (isList(field.type) && !type.extensions.connection) {
    // The directive cannot refer to the length of an argument, so it contains the maximum length.
    const { most: maxSize } = field.extensions;
    yield `@listSize(assumedSize: ${typeof maxSize === 'number' ? maxSize : assumedItems})`;
  }
}

/** Yields the directives that tell routers the cost of a field. */
export function* costDirectives(type: GraphQLNamedType, field: Field): Iterable<string> {
  yield* listSizeDirectives(type, field);
  const weight = weightOf(type, field);
  if (weight !== defaultCost(field)) yield `@cost(weight: ${weight})`;
}
