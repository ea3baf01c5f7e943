import { type GraphQLInputType, getNamedType, isEnumType } from 'graphql';
import { type Problem, withoutSchema } from '../../kernel/declare/errors.js';
import { anyValue, expectedField, expectedValue } from './expected-values.js';
import { similarFields, similarValues } from './suggestions.js';

const withSuggestions = (problem: Problem, suggestions: readonly string[]): Problem =>
  suggestions.length ? { ...problem, suggestions } : problem;

/** Problem of an input without a required field. `path` is the path of the input. */
export const missingField = (path: string, name: string): Problem => ({
  field: `${path}.${name}`,
  expected: anyValue,
  [withoutSchema]: { field: path, expected: 'all required fields' },
});

/** Problem of a field that does not exist in the input type. `path` is the path of the input. */
export const unknownField = (type: GraphQLInputType, path: string, name: string): Problem => {
  const field = `${path}.${name}`;
  const problem = { field, expected: expectedField(type), [withoutSchema]: { field, expected: 'a known field' } };
  return withSuggestions(problem, similarFields(type, name));
};

/** Problem of a value that the type does not accept. */
export function invalidValue(type: GraphQLInputType, path: string, value: unknown): Problem {
  const namedType = getNamedType(type);
  const problem = { field: path, expected: expectedValue(namedType, path) };
  if (!isEnumType(namedType)) return problem;
  const problemWithoutSchema = { field: path, expected: 'a known value' };
  return withSuggestions({ ...problem, [withoutSchema]: problemWithoutSchema }, similarValues(namedType, value, path));
}
