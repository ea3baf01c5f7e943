import { type GraphQLEnumType, type GraphQLInputType, getNamedType, isEnumType, isInputObjectType } from 'graphql';
import { isReadOnlyValue } from '../../kernel/declare/scalars/choices.js';

const scalars: Readonly<Record<string, string>> = {
  Int: 'a 32-bit integer',
  Float: 'a number',
  String: 'a string',
  ID: 'a string or an integer',
  Boolean: 'true or false',
  JSON: 'a JSON value',
  JSONObject: 'a JSON object',
};

/** Maximum number of enum values in a message. Larger enums are described by their name. */
const maxListedValues = 40;

/** Whether a path is inside a filter. Filters also accept read-only values. */
const isFilterPath = (path: string): boolean => /^filter\b/.test(path);

/** Names of the enum values that are accepted at a path. */
export const acceptedValues = (type: GraphQLEnumType, path: string): readonly string[] =>
  type
    .getValues()
    .map(({ name }) => name)
    .filter((name) => isFilterPath(path) || !isReadOnlyValue(type.name, name));

/**
 * Describes the values that a type accepts as a noun phrase, for error messages. Lists are described by their items, because a
 * single item is accepted. `path` starts at the argument.
 */
export function expectedValue(type: GraphQLInputType, path: string): string {
  const namedType = getNamedType(type);
  if (isInputObjectType(namedType)) return 'an object';
  if (!isEnumType(namedType)) {
    const { expected } = namedType.extensions;
    return typeof expected === 'string' ? expected : (scalars[namedType.name] ?? `a value of ${namedType.name}`);
  }
  const values = acceptedValues(namedType, path);
  return values.length > maxListedValues ? `a value of ${namedType.name}` : `one of ${values.join(', ')}`;
}

/** Describes the expected value of a required argument or field that is missing. */
export const anyValue = 'a value';

/** Describes the fields that are expected in place of an unknown field. */
export const expectedField = (type: GraphQLInputType): string => `a field of ${getNamedType(type).name}`;
