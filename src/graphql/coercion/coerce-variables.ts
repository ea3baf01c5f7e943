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
import { badInputError, type Problem, pathIn, withoutSchema } from '../../kernel/declare/errors.js';
import { Problems } from '../../kernel/declare/problems.js';
import { usesOf } from './argument-values.js';
import { coercerFor } from './fast-coercion.js';
import { checkInputBounds } from './input-bounds.js';
import { anyValue, invalidValue, missingField, unknownField } from './value-problems.js';

type Values = Record<string, unknown>;

/** Coerced variables, or a single error with the problems of all variables. */
export type CoercionResult =
  | { readonly variables: Values; readonly error?: undefined }
  | { readonly variables?: undefined; readonly error: GraphQLError };

class TooManyProblems extends Error {}

/**
 * Coerces the variables of a validated operation. Problems refer to a variable by the path of the first argument that uses it, such
 * as `filter.startsAt.gte`. Unused variables, and missing variables inside an input, are referred to by name, such as `$since`.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  values: Values,
): CoercionResult {
  return variableCoercerFor(schema, document, operation)(values);
}

/** Returns a function that coerces the variables of an operation, for operations that run many times. */
export function variableCoercerFor(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (values: Values) => CoercionResult {
  const coerceValid = validVariablesOf(schema, operation);
  return (values) => {
    const validVariables = coerceValid(values);
    if (validVariables) return { variables: validVariables };
    const { variables, problems, invalidDefinitions } = coerceAll(schema, document, operation, values);
    if (!invalidDefinitions.length) return { variables };
    const boundProblems = new Problems();
    checkInputBounds(schema, document, operation, variables, boundProblems);
    // Problems with bounds and rules can name fields that the client did not send, so they are hidden from anonymous callers.
    for (const problem of boundProblems.list) problems.addProblem({ ...problem, [withoutSchema]: null });
    const { message, extensions } = badInputError(problems.list);
    return { error: new GraphQLError(message, { nodes: invalidDefinitions, extensions }) };
  };
}

/**
 * Returns a fast function that coerces the variables. The function returns null if a variable is invalid. The slow path then reports the
 * problems.
 */
function validVariablesOf(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode) {
  const coercers = variableDefinitions.flatMap(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node);
    if (!isInputType(type)) return [];
    return {
      name: variable.name.value,
      coerce: coercerFor(type),
      isValueRequired: isNonNullType(type) || defaultValue !== undefined,
    };
  });
  return (values: Values): Values | null => {
    const variables: Values = {};
    try {
      for (const { name, coerce, isValueRequired } of coercers) {
        const value = Object.hasOwn(values, name) ? values[name] : undefined;
        if (value === undefined ? isValueRequired : value === null) return null;
        if (value !== undefined) variables[name] = coerce(value);
      }
      return variables;
    } catch {
      return null;
    }
  };
}

/** Finds the problems of variables without running the operation: wrong types, and inputs that violate their bounds or rules. */
export function problemsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  values: Values,
): readonly Problem[] {
  const { variables, problems } = coerceAll(schema, document, operation, values);
  checkInputBounds(schema, document, operation, variables, problems);
  return problems.list;
}

/** Whether a path leads into an input object or a list. */
const isInside = (path: string): boolean => /[.[]/.test(path);

function coerceAll(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, values: Values) {
  const variables: Values = {};
  const problems = new Problems();
  const invalidDefinitions: VariableDefinitionNode[] = [];
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type)) continue;
    const uses = () => usesOf(schema, document, operation).get(name) ?? [];
    const path = () => uses()[0]?.path ?? `$${name}`;
    const variableProblems = new Problems();
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) {
      if (definition.defaultValue) variables[name] = valueFromAST(definition.defaultValue, type);
      else if (isNonNullType(type)) variableProblems.add(isInside(path()) ? `$${name}` : path(), anyValue);
    } else if (value === null) {
      variables[name] = null;
      if (isNonNullType(type)) variableProblems.add(path(), anyValue);
      // A variable with a default can be null, even if it is used where null is not allowed.
      else for (const use of uses()) if (isNonNullType(use.type)) variableProblems.add(use.path, anyValue);
    } else variables[name] = coerceValue(value, type, path, variableProblems);
    if (variableProblems.list.length) invalidDefinitions.push(definition);
    for (const problem of variableProblems.list) problems.addProblem(problem);
  }
  return { variables, problems, invalidDefinitions };
}

function coerceValue(input: unknown, type: GraphQLInputType, path: () => string, problems: Problems): unknown {
  try {
    return coerceInputValue(input, type, (keys, value) => {
      const fieldPath = keys.reduce<string>(pathIn, path());
      const namedType = getNamedType(typeAt(type, keys));
      if (value === null || value === undefined) problems.add(fieldPath, anyValue);
      else if (isInputObjectType(namedType) && typeof value === 'object' && !Array.isArray(value)) {
        const fields = namedType.getFields();
        const entries = new Map(Object.entries(value));
        for (const field of Object.values(fields))
          if (isRequiredInputField(field) && entries.get(field.name) === undefined)
            problems.addProblem(missingField(fieldPath, field.name));
        for (const key of entries.keys()) if (!fields[key]) problems.addProblem(unknownField(namedType, fieldPath, key));
      } else problems.addProblem(invalidValue(namedType, fieldPath, value));
      if (problems.isFull) throw new TooManyProblems();
    });
  } catch (error) {
    if (error instanceof TooManyProblems) return undefined;
    throw error;
  }
}

/** Returns the type at a path inside a value. Where the value has a single item in place of a list, the path has no index. */
function typeAt(type: GraphQLInputType, keys: readonly (string | number)[]): GraphQLInputType {
  let fieldType = type;
  for (const key of keys) {
    let nullableType = getNullableType(fieldType);
    if (typeof key === 'number') {
      if (isListType(nullableType)) fieldType = nullableType.ofType;
      continue;
    }
    while (isListType(nullableType)) nullableType = getNullableType(nullableType.ofType);
    fieldType = (isInputObjectType(nullableType) ? nullableType.getFields()[key]?.type : undefined) ?? nullableType;
  }
  return fieldType;
}
