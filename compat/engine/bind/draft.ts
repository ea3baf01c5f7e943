import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import type { FieldDraft, LegacyRecord } from './binding.js';
import { getterOf, legacyField, type PathSegment, parsePath, selectionAt } from './graph-path.js';
import { anyJson, formatOf } from './value-formats.js';

type Field = GraphQLField<unknown, unknown> | GraphQLInputField;

/** Field at the end of a path, or the reason why the path is invalid. */
interface ResolvedPath {
  field?: Field;
  segments?: readonly PathSegment[];
  isReported?: boolean;
  isReadOnlyForOwner?: boolean;
  problem?: string;
}

type Fields = Readonly<Record<string, Field>>;

const fieldsOf = (type: GraphQLType | undefined): Fields =>
  isObjectType(type) || isInputObjectType(type) ? type.getFields() : {};

/**
 * Replaces a field with its counterpart in the object `legacy`, if it has a counterpart. `/v1` then returns the value exactly as the
 * platform sent it, and the field itself contains the value in GraphQL format.
 */
function withLegacyField(
  field: Field,
  legacy: Field | undefined,
  segments: readonly PathSegment[],
): Pick<ResolvedPath, 'field' | 'segments'> {
  const last = segments.at(-1);
  if (!legacy || !last) return { field, segments };
  const { description } = isLeafType(getNamedType(field.type)) ? field : legacy;
  return {
    field: { ...legacy, description },
    segments: [...segments.slice(0, -1), { name: legacyField, args: '', item: null }, last],
  };
}

/** Resolves a path that starts at a GraphQL type. */
function fieldAt(schema: GraphQLSchema, start: string, segments: readonly PathSegment[] | null): ResolvedPath {
  if (!segments) return { problem: 'the path is invalid' };
  let type = schema.getType(start);
  let resolved: Pick<ResolvedPath, 'field' | 'segments'> = {};
  let isReported = false;
  let isReadOnlyForOwner = false;
  for (const [index, { name, item }] of segments.entries()) {
    const fields = fieldsOf(type);
    const legacy = fieldsOf(fields[legacyField] && getNamedType(fields[legacyField].type))[name];
    const field = fields[name] ?? legacy;
    const { fixedForOwner } = (type?.extensions ?? {}) as { fixedForOwner?: readonly string[] };
    isReadOnlyForOwner ||= fixedForOwner?.includes(name) === true;
    if (!field) return { problem: `${type?.name ?? start} has no ${isInputObjectType(type) ? 'input ' : ''}field "${name}"` };
    const isList = isListType(getNullableType(field.type));
    if (isList && !item && index < segments.length - 1)
      return { problem: `"${name}" is a list: select one item, such as ${name}[code=X].title` };
    if (item && !isList) return { problem: `"${name}" is not a list` };
    resolved = withLegacyField(field, legacy, segments);
    type = getNamedType(field.type);
    isReported ||= type.extensions.isReported === true;
  }
  return { ...resolved, isReported, isReadOnlyForOwner };
}

/** Returns the binding of a legacy field to the GraphQL schema, before shapes change it. */
export function draftOf(schema: GraphQLSchema, { type, input, keys, paths = {} }: LegacyRecord, name: string): FieldDraft {
  const path = paths[name] ?? keys(name);
  const readPath = parsePath(typeof path === 'string' ? path : path.read);
  const writePath = parsePath(typeof path === 'string' ? path : path.write);
  const readField = type ? fieldAt(schema, type, readPath) : null;
  const writeField = input ? fieldAt(schema, input, writePath) : null;
  const formats = [readField?.field, writeField?.field].map((field) => field && formatOf(field.type));
  const [readFormat, writeFormat] = formats;
  return {
    source: readField && {
      select: (inner) => selectionAt(readField.segments ?? [], inner),
      get: getterOf(readField.segments ?? []),
      names: readField.segments?.every(({ item }) => !item) ? readField.segments.map((segment) => segment.name) : undefined,
      description: readField.field?.description ?? undefined,
      problem: readField.problem,
    },
    target: writeField && {
      ...writeField,
      segments: writeField.segments ?? [],
      field: writeField.field as GraphQLInputField | undefined,
    },
    responseFormat: readFormat ?? writeFormat ?? anyJson,
    requestFormat: writeFormat ?? readFormat ?? anyJson,
  };
}
