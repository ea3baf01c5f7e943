import {
  type GraphQLInputField,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Codec, FieldDraft, LegacyRecord, Origin } from './binding.js';
import { draftOf } from './draft.js';
import { putterOf, textOf } from './graph-path.js';
import type { Data } from './json.js';
import type { Kind } from './kinds.js';
import { meaningOf } from './meaning.js';

/** A field of a record that was checked against the schema. */
export interface BoundField {
  readonly name: string;
  readonly source: Origin | null;
  readonly out: Kind;
  readonly in: Kind;
  readonly target: {
    readonly path: string;
    readonly description: string | undefined;
    /** Value for a missing field and for null. Undefined if GraphQL requires a value. */
    readonly defaultInput: unknown;
    /** The field keeps its value if a request omits it, or sends null or an empty text. */
    readonly isPreserved: boolean;
    /** Whether only platforms and admins may set it. It is omitted for other callers. */
    readonly isReported: boolean;
    /** Whether owners of a row may not change it. It keeps its value if an owner omits it. */
    readonly isFixedForOwner: boolean;
    readonly setValue: (input: Data, value: unknown) => void;
  } | null;
}

/** Defaults of decision 3: false for booleans, empty for arrays, unset for all others. */
function defaultInputOf({ type, defaultValue }: GraphQLInputField): unknown {
  const nullableType = getNullableType(type);
  if (isListType(nullableType)) return defaultValue ?? [];
  if ('name' in nullableType && nullableType.name === 'Boolean') return defaultValue ?? false;
  return isNonNullType(type) ? defaultValue : null;
}

function boundFieldOf(name: string, isPreserved: boolean, { source, target, out, in: into }: FieldDraft): BoundField {
  const { field, isReported = false, isFixedForOwner = false, steps = [] } = target ?? {};
  const boundTarget = field && {
    path: textOf(steps),
    description: meaningOf(field) || undefined,
    defaultInput: defaultInputOf(field),
    isPreserved,
    isReported,
    isFixedForOwner,
    setValue: putterOf(steps),
  };
  return { name, source, out, in: into, target: boundTarget ?? null };
}

const problemsOf = ({ source, target, out, in: into }: FieldDraft): string[] => {
  const sourceProblem = source && (source.problem ?? out.problem);
  const targetProblem = target && (target.problem ?? into.problem);
  if (!source && !target) return ['is neither shown nor taken from requests'];
  return [...new Set([sourceProblem, targetProblem])].filter((problem) => typeof problem === 'string');
};

/** Binds the fields of a record to the schema. Problems go to `report`. */
export function boundFieldsOf(
  schema: GraphQLSchema,
  record: LegacyRecord,
  codecOf: (record: LegacyRecord) => Codec,
  report: (problem: string) => void,
): BoundField[] {
  const { name: table, type, input, fields, as = {}, owner, preserved = '', paths = {} } = record;
  const preservedFields = [owner ?? [], preserved.split(/\s+/).filter(Boolean)].flat();
  const reportField = (field: string, problem: string) => report(`record ${table}, field ${field}: ${problem}`);
  if (!/^[A-Za-z]\w*$/.test(table)) report(`record ${table}: the name must do as the name of a fragment`);
  const typeProblems = [
    type && !isObjectType(schema.getType(type)) && `the graph has no object type ${type}`,
    input && !isInputObjectType(schema.getType(input)) && `the graph has no input type ${input}`,
  ].filter((problem) => typeof problem === 'string');
  for (const problem of typeProblems) report(`record ${table}: ${problem}`);
  if (typeProblems.length) return [];
  for (const name of Object.keys({ ...as, ...paths }))
    if (!fields.includes(name)) reportField(name, 'has an exception but is not among the fields');

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
    if (checkedNames.has(name)) reportField(name, 'stands in the table twice');
    checkedNames.add(name);
    const path = draft.target ? textOf(draft.target.steps) : '';
    const existingName = namesByPath.get(path);
    if (existingName) reportField(name, `goes to the same place of the input as ${existingName}: make one of them readOnly`);
    else if (path !== '') namesByPath.set(path, name);
  }
  const boundFields = drafts.map(([name, draft]) => boundFieldOf(name, preservedFields.includes(name), draft));
  for (const name of preservedFields)
    if (!boundFields.some((column) => column.name === name && column.target))
      reportField(name, 'keeps its value if it is left out, but is not taken from requests');
  return boundFields;
}
