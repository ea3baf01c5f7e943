import {
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import { badInput, type Problem, pathIn } from '../kernel/declare/errors.js';
import { Problems } from '../kernel/declare/problems.js';
import { addBounds } from './add-bounds.js';
import { usesOf } from './argument-values.js';
import { expectedOf, fieldOf, something } from './expected.js';
import { coercerOf } from './right-values.js';
import { similarFields, similarValues } from './suggestions.js';

type Values = Record<string, unknown>;

/** The variables of a request as resolvers take them, or the one error that tells all that is wrong with them. */
export type Coerced =
  | { readonly variables: Values; readonly error?: undefined }
  | { readonly variables?: undefined; readonly error: GraphQLError };

class Enough extends Error {}

/**
 * Coerces the variables of a validated operation. Problems name a variable by the path of the argument that uses it first,
 * `filter.startsAt.gte`. They name it `$since` if no argument uses it, or if it is missing inside an input.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Values,
): Coerced {
  return variablesOf(schema, document, operation)(given);
}

/** The same for an operation that is run many times. */
export function variablesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (given: Values) => Coerced {
  const ofRight = rightVariables(schema, operation);
  return (given) => {
    const right = ofRight(given);
    if (right) return { variables: right };
    const { variables, problems, wrong } = read(schema, document, operation, given);
    if (!wrong.length) return { variables };
    addBounds(schema, document, operation, variables, problems);
    const { message, extensions } = badInput(problems.list);
    return { error: new GraphQLError(message, { nodes: wrong, extensions }) };
  };
}

/** The variables of a request that has all of them right; null where something is wrong with one, or may be. */
function rightVariables(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode) {
  const known = variableDefinitions.flatMap(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node);
    if (!isInputType(type)) return [];
    return { name: variable.name.value, coerce: coercerOf(type), isNeeded: isNonNullType(type) || defaultValue !== undefined };
  });
  return (given: Values): Values | null => {
    const variables: Values = {};
    try {
      for (const { name, coerce, isNeeded } of known) {
        const value = Object.hasOwn(given, name) ? given[name] : undefined;
        if (value === undefined ? isNeeded : value === null) return null;
        if (value !== undefined) variables[name] = coerce(value);
      }
      return variables;
    } catch {
      return null;
    }
  };
}

/** What is wrong with variables of which only a part is known, before anything runs: their types, and the bounds of inputs. */
export function problemsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Values,
): readonly Problem[] {
  const { variables, problems } = read(schema, document, operation, given);
  addBounds(schema, document, operation, variables, problems);
  return problems.list;
}

/** Whether a path leads into an input object or a list. */
const isInside = (path: string): boolean => /[.[]/.test(path);

function read(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, given: Values) {
  const variables: Values = {};
  const problems = new Problems();
  const wrong: VariableDefinitionNode[] = [];
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type)) continue;
    const uses = () => usesOf(schema, document, operation).get(name) ?? [];
    const path = () => uses()[0]?.path ?? `$${name}`;
    const own = new Problems();
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) {
      if (definition.defaultValue) variables[name] = valueFromAST(definition.defaultValue, type);
      else if (isNonNullType(type)) own.add(isInside(path()) ? `$${name}` : path(), something);
    } else if (value === null) {
      variables[name] = null;
      if (isNonNullType(type)) own.add(path(), something);
      // What has a default may be null here and still be used where nothing may be null.
      else for (const use of uses()) if (isNonNullType(use.type)) own.add(use.path, something);
    } else variables[name] = coerced(value, type, path, own);
    if (own.list.length) wrong.push(definition);
    for (const problem of own.list) problems.add(problem.field, problem.expected, problem.suggestions);
  }
  return { variables, problems, wrong };
}

function coerced(value: unknown, type: GraphQLInputType, path: () => string, problems: Problems): unknown {
  try {
    return coerceInputValue(value, type, (keys, found) => {
      const place = keys.reduce<string>(pathIn, path());
      const named = getNamedType(typeAt(type, keys));
      if (found === null || found === undefined) problems.add(place, something);
      else if (isInputObjectType(named) && typeof found === 'object' && !Array.isArray(found)) {
        const fields = named.getFields();
        const sent = new Map(Object.entries(found));
        for (const field of Object.values(fields))
          if (isRequiredInputField(field) && sent.get(field.name) === undefined)
            problems.add(`${place}.${field.name}`, something);
        for (const key of sent.keys())
          if (!fields[key]) problems.add(`${place}.${key}`, fieldOf(named), similarFields(named, key));
      } else problems.add(place, expectedOf(named, place), similarValues(named, found, place));
      if (problems.areEnough) throw new Enough();
    });
  } catch (error) {
    if (error instanceof Enough) return undefined;
    throw error;
  }
}

/** The type in a place inside a value; lone items of lists have no index. */
function typeAt(type: GraphQLInputType, keys: readonly (string | number)[]): GraphQLInputType {
  let found = type;
  for (const key of keys) {
    let bare = getNullableType(found);
    if (typeof key === 'number') {
      if (isListType(bare)) found = bare.ofType;
      continue;
    }
    while (isListType(bare)) bare = getNullableType(bare.ofType);
    found = (isInputObjectType(bare) ? bare.getFields()[key]?.type : undefined) ?? bare;
  }
  return found;
}
