import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { BoundField, Codec, FieldDraft, LegacyRecord } from './binding.js';
import { draftOf } from './draft.js';
import { pathText, setterOf } from './graph-path.js';

/** Returns the full description of an argument or input field: its extension `meaning`, or else its description in the schema. */
export const meaningOf = ({ description, extensions }: GraphQLArgument | GraphQLInputField): string =>
  typeof extensions.meaning === 'string' ? extensions.meaning : (description ?? '');

/**
 * Returns the GraphQL value of a field that a request omits (decision 3). The value of a boolean or list is its default in the schema, or
 * else false or an empty list. Other nullable fields become null. Returns undefined if GraphQL requires a value.
 */
function defaultInputOf({ type, defaultValue }: GraphQLInputField): unknown {
  const nullableType = getNullableType(type);
  if (isListType(nullableType)) return defaultValue ?? [];
  if ('name' in nullableType && nullableType.name === 'Boolean') return defaultValue ?? false;
  return isNonNullType(type) ? defaultValue : null;
}

function boundFieldOf(name: string, isPreserved: boolean, draft: FieldDraft): BoundField {
  const { source, target, responseFormat, requestFormat } = draft;
  const { field, isReported = false, isReadOnlyForOwner = false, segments = [] } = target ?? {};
  const boundTarget = field && {
    path: pathText(segments),
    description: meaningOf(field) || undefined,
    defaultInput: defaultInputOf(field),
    isPreserved,
    isReported,
    isReadOnlyForOwner,
    setValue: setterOf(segments),
  };
  return { name, source, responseFormat, requestFormat, target: boundTarget ?? null };
}

const problemsOf = ({ source, target, responseFormat, requestFormat }: FieldDraft): string[] => {
  const sourceProblem = source && (source.problem ?? responseFormat.problem);
  const targetProblem = target && (target.problem ?? requestFormat.problem);
  if (!source && !target) return ['is neither in responses nor in requests'];
  return [...new Set([sourceProblem, targetProblem])].filter((problem) => typeof problem === 'string');
};

/** Binds the fields of a record to the GraphQL schema. Calls `report` with each mismatch. */
export function boundFieldsOf(
  schema: GraphQLSchema,
  record: LegacyRecord,
  codecOf: (record: LegacyRecord) => Codec,
  report: (problem: string) => void,
): BoundField[] {
  const { name: table, type, input, fields, as = {}, owner, preserved = '', paths = {} } = record;
  const preservedFields = [owner ?? [], preserved.split(/\s+/).filter(Boolean)].flat();
  const reportField = (field: string, problem: string) => report(`record ${table}, field ${field}: ${problem}`);
  if (!/^[A-Za-z]\w*$/.test(table)) report(`record ${table}: the name is not a valid GraphQL fragment name`);
  const typeProblems = [
    type && !isObjectType(schema.getType(type)) && `the GraphQL schema has no object type ${type}`,
    input && !isInputObjectType(schema.getType(input)) && `the GraphQL schema has no input type ${input}`,
  ].filter((problem) => typeof problem === 'string');
  for (const problem of typeProblems) report(`record ${table}: ${problem}`);
  if (typeProblems.length) return [];
  for (const name of Object.keys({ ...as, ...paths }))
    if (!fields.includes(name)) reportField(name, 'is in `as` or `paths`, but not in `fields`');

  const drafts = fields.map((name) => {
    const shapes = [as[name] ?? []].flat();
    const field = shapes.reduce<() => FieldDraft>(
      (inner, shape) => () => shape(inner, codecOf),
      () => draftOf(schema, record, name),
    );
    return [name, field()] as const;
  });
  const checkedNames = new Set<string>();
  const namesByPath = new Map<string, string>();
  for (const [name, draft] of drafts) {
    for (const problem of problemsOf(draft)) reportField(name, problem);
    if (checkedNames.has(name)) reportField(name, 'is listed twice in `fields`');
    checkedNames.add(name);
    const path = draft.target ? pathText(draft.target.segments) : '';
    const existingName = namesByPath.get(path);
    if (existingName) reportField(name, `sets the same input field as ${existingName}: make one of them readOnly`);
    else if (path !== '') namesByPath.set(path, name);
  }
  const boundFields = drafts.map(([name, draft]) => boundFieldOf(name, preservedFields.includes(name), draft));
  for (const name of preservedFields)
    if (!boundFields.some((field) => field.name === name && field.target))
      reportField(name, 'is in `owner` or `preserved`, but not in requests');
  return boundFields;
}
