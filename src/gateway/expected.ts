import { type GraphQLEnumType, type GraphQLInputType, getNamedType, isEnumType, isInputObjectType } from 'graphql';
import { isReadOnlyValue } from '../kernel/declare/choices.js';

const scalars: Readonly<Record<string, string>> = {
  Int: 'an integer of 32 bits',
  Float: 'a number',
  String: 'a string',
  ID: 'a string or an integer',
  Boolean: 'true or false',
  JSON: 'a JSON value',
  JSONObject: 'a JSON object',
};

/** Enumerations with more values are called by their names: an answer is not the place for a hundred of them. */
const mostValues = 40;

/** Filters ask for values that nobody writes. */
const isOfFilter = (path: string): boolean => /^filter\b/.test(path);

/** Names of the values of an enumeration that may be sent at a path. */
export const acceptedValues = (type: GraphQLEnumType, path: string): readonly string[] =>
  type
    .getValues()
    .map(({ name }) => name)
    .filter((name) => isOfFilter(path) || !isReadOnlyValue(type.name, name));

/**
 * What was expected in a place of the schema, as a noun phrase; a list is called by its items, because a lone one will do. `path` is that
 * of the place, from its argument on.
 */
export function expectedOf(type: GraphQLInputType, path: string): string {
  const named = getNamedType(type);
  if (isInputObjectType(named)) return 'an object';
  if (!isEnumType(named)) {
    const { expected } = named.extensions;
    return typeof expected === 'string' ? expected : (scalars[named.name] ?? `a value of ${named.name}`);
  }
  const values = acceptedValues(named, path);
  return values.length > mostValues ? `a value of ${named.name}` : `one of ${values.join(', ')}`;
}

/** What was expected where nothing may be absent or null. */
export const something = 'a value';

/** What was expected in place of a field that an input type does not have. */
export const fieldOf = (type: GraphQLInputType): string => `a field of ${getNamedType(type).name}`;
