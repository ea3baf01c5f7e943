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
import type { Problem } from '../kernel/declare/errors.js';
import { seeArguments, seeValue, usesOf } from './argument-values.js';
import { expectedOf, fieldOf, something } from './expected.js';
import { similarFields, similarValues } from './suggestions.js';

/** What may be wrong with each literal of a document, by where it begins. */
type Literals = ReadonlyMap<string, readonly Problem[]>;

const known = new WeakMap<GraphQLSchema, WeakMap<Source, Literals>>();

/** Where errors about literals point: to a value, or to a field of an object that its type does not have. */
const kinds: ReadonlySet<string> = new Set([
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

const problemOf = (field: string, expected: string, suggestions: readonly string[]): Problem => ({
  field,
  expected,
  ...(suggestions.length && { suggestions }),
});

/** A field that an input type does not have. */
const unknownField = (field: string, type: GraphQLInputType, name: string): Problem =>
  problemOf(field, fieldOf(type), similarFields(type, name));

/** A value that its type does not accept. */
const wrongValue = (node: ValueNode, type: GraphQLInputType, path: string): Problem =>
  problemOf(path, expectedOf(type, path), 'value' in node ? similarValues(type, node.value, path) : []);

/** What may be wrong with an object: fields that it must have, and has not; fields that there are not. */
function* fieldProblems(node: ObjectValueNode, type: GraphQLInputType, path: string): Iterable<[ASTNode, Problem[]]> {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return yield [node, [{ field: path, expected: expectedOf(type, path) }]];
  const given = new Set(node.fields.map(({ name }) => name.value));
  const fields = named.getFields();
  const missing = Object.values(fields).filter((field) => isRequiredInputField(field) && !given.has(field.name));
  yield [node, missing.map(({ name }) => ({ field: `${path}.${name}`, expected: something }))];
  for (const field of node.fields) {
    const { value } = field.name;
    if (!fields[value]) yield [field, [unknownField(`${path}.${value}`, named, value)]];
  }
}

function literalsOf(schema: GraphQLSchema, document: DocumentNode): Literals {
  const literals = new Map<string, readonly Problem[]>();
  const see = (node: ValueNode, type: GraphQLInputType, path: string): void => {
    if (node.kind === Kind.VARIABLE) return;
    if (node.kind === Kind.OBJECT)
      for (const [at, problems] of fieldProblems(node, type, path)) literals.set(keyOf(at), problems);
    else if (node.kind === Kind.NULL) literals.set(keyOf(node), [{ field: path, expected: something }]);
    else if (node.kind !== Kind.LIST || !isListType(getNullableType(type)))
      literals.set(keyOf(node), [wrongValue(node, type, path)]);
  };
  for (const definition of document.definitions) {
    seeArguments(schema, definition, see);
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const { variable, type, defaultValue } of definition.variableDefinitions ?? []) {
      const wanted = typeFromAST(schema, type);
      const path = () => usesOf(schema, document, definition).get(variable.name.value)?.[0]?.path ?? `$${variable.name.value}`;
      if (defaultValue && isInputType(wanted)) seeValue(defaultValue, wanted, path(), see);
    }
  }
  return literals;
}

/**
 * What is wrong with the literal at which an error of validation points, in the words that are used for variables; nothing for an
 * error about anything else. The document has been parsed before, so its size has bounds.
 */
export function literalProblems({ nodes, path }: GraphQLError, schema: GraphQLSchema): readonly Problem[] {
  const [node] = nodes ?? [];
  const source = node?.loc?.source;
  if (!node || !source || path || !kinds.has(node.kind)) return [];
  const bySource = known.get(schema) ?? new WeakMap<Source, Literals>();
  known.set(schema, bySource);
  const literals = bySource.get(source) ?? literalsOf(schema, parse(source));
  bySource.set(source, literals);
  return literals.get(keyOf(node)) ?? [];
}
