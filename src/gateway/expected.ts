import { type GraphQLInputType, getNamedType, isEnumType, isInputObjectType } from 'graphql';
import { suggestionList } from 'graphql/jsutils/suggestionList.js';
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
  const values = named.getValues().filter(({ name }) => isOfFilter(path) || !isReadOnlyValue(named.name, name));
  return values.length > mostValues ? `a value of ${named.name}` : `one of ${values.map(({ name }) => name).join(', ')}`;
}

/** What was expected where nothing may be absent or null. */
export const something = 'a value';

/** Most suggestions for one name. */
const mostSuggestions = 3;

/** Fields of an input type with names similar to an unknown name. Fields that begin with the whole name come first. */
export function suggestionsFor(type: GraphQLInputType, name: string): readonly string[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return [];
  const names = Object.keys(named.getFields());
  const longer = names.filter((field) => name.length > 1 && field.toLowerCase().startsWith(name.toLowerCase()));
  return [...new Set([...longer, ...suggestionList(name, names)])].slice(0, mostSuggestions);
}

/** What was expected in place of a field that an input type does not have. */
export const fieldOf = (type: GraphQLInputType): string => `a field of ${getNamedType(type).name}`;
