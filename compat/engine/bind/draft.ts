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
import { getterOf, legacyField, type PathStep, pathSteps, selectionAt } from './graph-path.js';
import { anything, kindOf } from './kinds.js';

type Field = GraphQLField<unknown, unknown> | GraphQLInputField;

/** The field at the end of a path. */
interface ResolvedPath {
  field?: Field;
  steps?: readonly PathStep[];
  isReported?: boolean;
  isFixedForOwner?: boolean;
  problem?: string;
}

type Fields = Readonly<Record<string, Field>>;

const fieldsOf = (type: GraphQLType | undefined): Fields =>
  isObjectType(type) || isInputObjectType(type) ? type.getFields() : {};

/** Replaces a field by the field with the same name in `legacy`, if it exists. `/v1` then returns the value exactly as the platform sent it. */
function withLegacyField(
  field: Field,
  legacy: Field | undefined,
  steps: readonly PathStep[],
): Pick<ResolvedPath, 'field' | 'steps'> {
  const last = steps.at(-1);
  if (!legacy || !last) return { field, steps };
  const { description } = isLeafType(getNamedType(field.type)) ? field : legacy;
  return { field: { ...legacy, description }, steps: [...steps.slice(0, -1), { name: legacyField, args: '', item: null }, last] };
}

/** Resolves a path. Returns the field, or a problem. */
function fieldAt(schema: GraphQLSchema, start: string, steps: readonly PathStep[] | null): ResolvedPath {
  if (!steps) return { problem: 'its path cannot be read' };
  let type = schema.getType(start);
  let resolved: Pick<ResolvedPath, 'field' | 'steps'> = {};
  let isReported = false;
  let isFixedForOwner = false;
  for (const [index, { name, item }] of steps.entries()) {
    const fields = fieldsOf(type);
    const legacy = fieldsOf(fields[legacyField] && getNamedType(fields[legacyField].type))[name];
    const field = fields[name] ?? legacy;
    const { fixedForOwner } = (type?.extensions ?? {}) as { fixedForOwner?: readonly string[] };
    isFixedForOwner ||= fixedForOwner?.includes(name) === true;
    if (!field) return { problem: `${type?.name ?? start} has no ${isInputObjectType(type) ? 'input ' : ''}field "${name}"` };
    const isList = isListType(getNullableType(field.type));
    if (isList && !item && index < steps.length - 1)
      return { problem: `"${name}" is a list: a path leads to one of its items, as in ${name}[code=X].title` };
    if (item && !isList) return { problem: `"${name}" is no list` };
    resolved = withLegacyField(field, legacy, steps);
    type = getNamedType(field.type);
    isReported ||= type.extensions.isReported === true;
  }
  return { ...resolved, isReported, isFixedForOwner };
}

/** Binds a legacy field to the schema, before shapes are applied. */
export function draftOf(schema: GraphQLSchema, { type, input, keys, paths = {} }: LegacyRecord, name: string): FieldDraft {
  const path = paths[name] ?? keys(name);
  const readPath = pathSteps(typeof path === 'string' ? path : path.read);
  const writePath = pathSteps(typeof path === 'string' ? path : path.write);
  const readField = type ? fieldAt(schema, type, readPath) : null;
  const writeField = input ? fieldAt(schema, input, writePath) : null;
  const kinds = [readField?.field, writeField?.field].map((field) => field && kindOf(field.type));
  const [readKind, writeKind] = kinds;
  return {
    source: readField && {
      select: (inner) => selectionAt(readField.steps ?? [], inner),
      get: getterOf(readField.steps ?? []),
      names: readField.steps?.every(({ item }) => !item) ? readField.steps.map(({ name: step }) => step) : undefined,
      description: readField.field?.description ?? undefined,
      problem: readField.problem,
    },
    target: writeField && {
      ...writeField,
      steps: writeField.steps ?? [],
      field: writeField.field as GraphQLInputField | undefined,
    },
    out: readKind ?? writeKind ?? anything,
    in: writeKind ?? readKind ?? anything,
  };
}
