import {
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import type { BoundField, LegacyRecord } from '../engine/bind/binding.js';
import { meaningOf } from '../engine/bind/bound-fields.js';

/** An element of the GraphQL schema. */
export interface SchemaElement {
  /** Schema coordinate, such as `Team.rating`. */
  readonly coordinate: string;
  readonly description: string;
}

/** Returns the leaf fields of a selection. */
function leavesOf(type: GraphQLObjectType, { selections }: SelectionSetNode): SchemaElement[] {
  return selections.flatMap((node) => {
    const field = node.kind === Kind.FIELD ? type.getFields()[node.name.value] : undefined;
    if (!field || node.kind !== Kind.FIELD) return [];
    const fieldType = getNamedType(field.type);
    const description = field.description ?? '';
    if (!node.selectionSet || !isObjectType(fieldType)) return [{ coordinate: `${type.name}.${field.name}`, description }];
    // Generated fields such as `nodes` have no description, so the description of their parent is used.
    return leavesOf(fieldType, node.selectionSet).map((leaf) => ({ ...leaf, description: leaf.description || description }));
  });
}

/** Returns the GraphQL field that a response field represents. Null if the response field represents several fields or none. */
export function responseElement(schema: GraphQLSchema, record: LegacyRecord, { name, source }: BoundField): SchemaElement | null {
  const type = schema.getType(record.type ?? '');
  const selection = source?.select('').trim();
  if (!selection || !isObjectType(type)) return null;
  const [definition] = parse(`{ ${selection} }`, { noLocation: true }).definitions;
  const leaves = definition?.kind === Kind.OPERATION_DEFINITION ? leavesOf(type, definition.selectionSet) : [];
  const path = record.paths?.[name] ?? record.keys(name);
  // The selection of a list item starts with the key that identifies the item.
  const isInList = (typeof path === 'string' ? path : path.read).includes('[');
  return (leaves.length === 1 || isInList ? leaves.at(-1) : undefined) ?? null;
}

interface InputElement extends SchemaElement {
  readonly path: string;
}

/** Matches filter operators. The description of the filtered field also describes the value of an operator. */
const filterOperators = /^(?:eq|ne|in|contains|startsWith|gte?|lte?|isNull|has|hasAny|hasAll)$/;

/**
 * Returns the deepest existing field on a path within an input type, such as `location.city` or `startsAt.gte`. Null if no field on the
 * path exists.
 */
export function inputElement(start: GraphQLInputType, path: string, outer: InputElement | null = null): InputElement | null {
  const [name = '', ...rest] = path.split('.');
  const type = getNamedType(start);
  const field = isInputObjectType(type) ? type.getFields()[name.replace(/\[.*?\]/g, '')] : undefined;
  if (!field) return outer;
  const meaning = meaningOf(field);
  const parentDescription = outer && filterOperators.test(field.name) ? outer.description : null;
  const element = {
    path: outer ? `${outer.path}.${field.name}` : field.name,
    coordinate: `${type.name}.${field.name}`,
    description:
      parentDescription === null ? meaning : field.name === 'eq' ? parentDescription : `${parentDescription} ${meaning}`,
  };
  return inputElement(field.type, rest.join('.'), element);
}

/** Returns the GraphQL input field that a request field sets. Null if the request field sets no input field. */
export function requestElement(schema: GraphQLSchema, record: LegacyRecord, { target }: BoundField): SchemaElement | null {
  const type = schema.getType(record.input ?? '');
  return target && isInputObjectType(type) ? inputElement(type, target.path) : null;
}
