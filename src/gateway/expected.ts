import { type GraphQLInputType, getNamedType, isEnumType, isInputObjectType } from 'graphql';

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

/** What was expected in a place of the schema, as a noun phrase; a list is called by its items, because a lone one will do. */
export function expectedOf(type: GraphQLInputType): string {
  const named = getNamedType(type);
  if (isInputObjectType(named)) return 'an object';
  if (!isEnumType(named)) {
    const { expected } = named.extensions;
    return typeof expected === 'string' ? expected : (scalars[named.name] ?? `a value of ${named.name}`);
  }
  const values = named.getValues();
  return values.length > mostValues ? `a value of ${named.name}` : `one of ${values.map(({ name }) => name).join(', ')}`;
}

/** What was expected where nothing may be absent or null. */
export const something = 'a value';

/** What was expected in place of a field that an input type does not have. */
export const fieldOf = (type: GraphQLInputType): string => `a field of ${getNamedType(type).name}`;
