import {
  type ASTNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isRequiredInputField,
  Kind,
  type ObjectValueNode,
  parse,
  type Source,
  typeFromAST,
  type ValueNode,
} from 'graphql';
import type { Problem } from '../../kernel/declare/errors.js';
import { usesOf, visitArguments, visitValue } from './argument-values.js';
import { anyValue, expectedValue, invalidValue, missingField, unknownField } from './value-problems.js';

/** Problems that each literal in a document could have, keyed by node kind and position. */
type Literals = ReadonlyMap<string, readonly Problem[]>;

const literalsBySchema = new WeakMap<GraphQLSchema, WeakMap<Source, Literals>>();

/** Kinds of nodes that errors about literals refer to: values, and unknown fields of input objects. */
const literalKinds: ReadonlySet<string> = new Set([
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.NULL,
  Kind.ENUM,
  Kind.LIST,
  Kind.OBJECT,
  Kind.OBJECT_FIELD,
]);

const keyOf = ({ kind, loc }: ASTNode): string => `${kind} ${loc?.start}`;

/** Yields the problems that an input object could have: missing required fields and unknown fields. */
function* fieldProblems(node: ObjectValueNode, type: GraphQLInputType, path: string): Iterable<[ASTNode, Problem[]]> {
  const namedType = getNamedType(type);
  if (!isInputObjectType(namedType)) return yield [node, [{ field: path, expected: expectedValue(type, path) }]];
  const providedNames = new Set(node.fields.map(({ name }) => name.value));
  const fields = namedType.getFields();
  const missingFields = Object.values(fields).filter((field) => isRequiredInputField(field) && !providedNames.has(field.name));
  yield [node, missingFields.map(({ name }) => missingField(path, name))];
  for (const field of node.fields) {
    const { value } = field.name;
    if (!fields[value]) yield [field, [unknownField(namedType, path, value)]];
  }
}

function literalsOf(schema: GraphQLSchema, document: DocumentNode): Literals {
  const literals = new Map<string, readonly Problem[]>();
  const recordLiteral = (node: ValueNode, type: GraphQLInputType, path: string): void => {
    if (node.kind === Kind.VARIABLE) return;
    if (node.kind === Kind.OBJECT)
      for (const [target, problems] of fieldProblems(node, type, path)) literals.set(keyOf(target), problems);
    else if (node.kind === Kind.NULL) literals.set(keyOf(node), [{ field: path, expected: anyValue }]);
    else if (node.kind !== Kind.LIST || !isListType(getNullableType(type)))
      literals.set(keyOf(node), [invalidValue(type, path, 'value' in node ? node.value : undefined)]);
  };
  for (const definition of document.definitions) {
    visitArguments(schema, definition, recordLiteral);
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const { variable, type, defaultValue } of definition.variableDefinitions ?? []) {
      const inputType = typeFromAST(schema, type);
      const path = () => usesOf(schema, document, definition).get(variable.name.value)?.[0]?.path ?? `$${variable.name.value}`;
      if (defaultValue && isInputType(inputType)) visitValue(defaultValue, inputType, path(), recordLiteral);
    }
  }
  return literals;
}

/**
 * Returns the problems of the literal that a validation error refers to, in the format used for variables. Returns an empty list for other
 * errors. Parses the document again without limits, because every validated document is within the limits.
 */
export function literalProblems({ nodes, path }: GraphQLError, schema: GraphQLSchema): readonly Problem[] {
  const [node] = nodes ?? [];
  const source = node?.loc?.source;
  if (!node || !source || path || !literalKinds.has(node.kind)) return [];
  const bySource = literalsBySchema.get(schema) ?? new WeakMap<Source, Literals>();
  literalsBySchema.set(schema, bySource);
  const literals = bySource.get(source) ?? literalsOf(schema, parse(source));
  bySource.set(source, literals);
  return literals.get(keyOf(node)) ?? [];
}
