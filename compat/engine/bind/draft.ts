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
import type { Draft, LegacyRecord } from './binding.js';
import { getterOf, legacyField, type PathStep, pathSteps, selectionAt } from './graph-path.js';
import { anything, kindOf } from './kinds.js';

type Field = GraphQLField<unknown, unknown> | GraphQLInputField;

/** The field at the end of a path. */
interface End {
  field?: Field;
  steps?: readonly PathStep[];
  isReported?: boolean;
  isFixedForOwner?: boolean;
  problem?: string;
}

type Fields = Readonly<Record<string, Field>>;

const fieldsOf = (type: GraphQLType | undefined): Fields =>
  isObjectType(type) || isInputObjectType(type) ? type.getFields() : {};

/** Replaces a field by the field with the same name in `legacy`, if there is one, so that `/v1` returns the values that platforms sent. */
function asSent(field: Field, stored: Field | undefined, steps: readonly PathStep[]): Pick<End, 'field' | 'steps'> {
  const last = steps.at(-1);
  if (!stored || !last) return { field, steps };
  const { description } = isLeafType(getNamedType(field.type)) ? field : stored;
  return { field: { ...stored, description }, steps: [...steps.slice(0, -1), { name: legacyField, args: '', item: null }, last] };
}

/** Resolves a path. Returns the field, or a problem. */
function fieldAt(schema: GraphQLSchema, start: string, steps: readonly PathStep[] | null): End {
  if (!steps) return { problem: 'its path cannot be read' };
  let type = schema.getType(start);
  let end: Pick<End, 'field' | 'steps'> = {};
  let isReported = false;
  let isFixedForOwner = false;
  for (const [index, { name, item }] of steps.entries()) {
    const fields = fieldsOf(type);
    const stored = fieldsOf(fields[legacyField] && getNamedType(fields[legacyField].type))[name];
    const field = fields[name] ?? stored;
    const { fixedForOwner } = (type?.extensions ?? {}) as { fixedForOwner?: readonly string[] };
    isFixedForOwner ||= fixedForOwner?.includes(name) === true;
    if (!field) return { problem: `${type?.name ?? start} has no ${isInputObjectType(type) ? 'input ' : ''}field "${name}"` };
    const many = isListType(getNullableType(field.type));
    if (many && !item && index < steps.length - 1)
      return { problem: `"${name}" is a list: a path leads to one of its items, as in ${name}[code=X].title` };
    if (item && !many) return { problem: `"${name}" is no list` };
    end = asSent(field, stored, steps);
    type = getNamedType(field.type);
    isReported ||= type.extensions.isReported === true;
  }
  return { ...end, isReported, isFixedForOwner };
}

/** Binds a legacy field to the schema, before shapes are applied. */
export function draftOf(schema: GraphQLSchema, { type, input, keys, paths = {} }: LegacyRecord, name: string): Draft {
  const path = paths[name] ?? keys(name);
  const from = pathSteps(typeof path === 'string' ? path : path.read);
  const into = pathSteps(typeof path === 'string' ? path : path.write);
  const read = type ? fieldAt(schema, type, from) : null;
  const write = input ? fieldAt(schema, input, into) : null;
  const kinds = [read?.field, write?.field].map((field) => field && kindOf(field.type));
  const [out, taken] = kinds;
  return {
    source: read && {
      select: (inner) => selectionAt(read.steps ?? [], inner),
      get: getterOf(read.steps ?? []),
      names: read.steps?.every(({ item }) => !item) ? read.steps.map(({ name: step }) => step) : undefined,
      description: read.field?.description ?? undefined,
      problem: read.problem,
    },
    target: write && { ...write, steps: write.steps ?? [], field: write.field as GraphQLInputField | undefined },
    out: out ?? taken ?? anything,
    in: taken ?? out ?? anything,
  };
}
