import type { Context } from '../declare/context.js';
import { pathIn } from '../declare/errors.js';
import { referenceDataOf } from '../declare/fields/legacy-fields.js';
import type { Values } from '../declare/fields/options.js';
import { type FieldMeta, groupOf, metaOf, type RecordClass, type RecordMeta } from '../declare/meta.js';
import { Problems } from '../declare/problems.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import { withArticle } from '../declare/scalars/words.js';
import { constantRows } from '../read/constant-rows.js';
import { rowStatement } from '../read/rows-by-id.js';
import { rowsWithName, rowWithName } from '../read/rows-by-name.js';
import { isObjectOrList, legacyValuesIn } from './input-values.js';

/** Input value that refers to reference data by ID or name. */
interface Reference {
  readonly path: string;
  /** Key of the column that stores the value. */
  readonly key: string;
  readonly field: FieldMeta;
  readonly target: RecordClass;
  readonly value: string;
  /** Object that contains the value. */
  readonly input: Values;
  readonly meta: RecordMeta;
}

/** Returns the metadata of the items if the field is a list of value objects. Null for other fields. */
const itemsOf = ({ group }: FieldMeta): RecordMeta | null => {
  const itemClass = group?.();
  return Array.isArray(itemClass) ? metaOf(itemClass[0]) : null;
};

const referringFields = new WeakMap<RecordMeta, readonly FieldMeta[]>();

/** Returns the fields that refer to reference data, and the groups and lists that contain such fields. */
function referringFieldsOf(meta: RecordMeta): readonly FieldMeta[] {
  const cachedFields = referringFields.get(meta);
  if (cachedFields) return cachedFields;
  const fields = [...meta.fields.values()].filter((field) => {
    const nestedMeta = field.kind === 'group' ? groupOf(field) : itemsOf(field);
    return nestedMeta ? referringFieldsOf(nestedMeta).length > 0 : referenceDataOf(field) !== null;
  });
  referringFields.set(meta, fields);
  return fields;
}

/**
 * Returns the references in an input. Excludes `legacy`, which may contain unknown references. `list` is the key of the list that contains
 * the input.
 */
function* referencesIn(meta: RecordMeta, input: Values, path: string, prefix: string, list?: string): Iterable<Reference> {
  for (const field of referringFieldsOf(meta)) {
    const value = input[field.name];
    const fieldPath = `${path}${field.name}`;
    const key = list ?? `${prefix}${field.name}`;
    const target = referenceDataOf(field);
    const items = itemsOf(field);
    if (target) {
      if (typeof value === 'string' && value !== '') yield { path: fieldPath, key, field, target, value, input, meta };
    } else if (items && Array.isArray(value)) {
      for (const [index, item] of value.entries())
        if (isObjectOrList(item)) yield* referencesIn(items, item, `${pathIn(fieldPath, index)}.`, '', key);
    } else if (!items && isObjectOrList(value)) yield* referencesIn(groupOf(field), value, `${fieldPath}.`, `${key}.`, list);
  }
}

/** Whether a value refers to an existing row. If an update contains a state without its country, a state of any country is accepted. */
async function rowExists(
  { sql }: Context,
  { field: { nameReference }, target, value, input, meta }: Reference,
  isUpdate: boolean,
) {
  const rows = await constantRows(sql, target);
  if (!nameReference) return rows.has(value);
  const { columns, parent: parentKeys } = nameReference;
  const parentReference = parentKeys && meta.fields.get(parentKeys.field)?.nameReference;
  if (!parentReference) return rowWithName(rows, columns, value) !== null;
  const name = input[parentKeys.field] === undefined ? legacyValuesIn(input)[parentKeys.field] : input[parentKeys.field];
  if (name === undefined && isUpdate) return rowsWithName(rows, columns, value).length > 0;
  const parent = name ? rowWithName(await constantRows(sql, parentReference.target()), parentReference.columns, name) : null;
  return rowWithName(rows, columns, value, parent ? { key: parentKeys.key, id: parent.id } : undefined) !== null;
}

/** Whether a row already contains the value, either in the column itself or in an item of the column's list. */
function isStored(row: Row | undefined, { key, field, value }: Reference): boolean {
  const storedValue = row?.[key] ?? null;
  const values: unknown[] = Array.isArray(storedValue)
    ? storedValue.map((item) => isObjectOrList(item) && item[field.name])
    : [storedValue];
  return values.some((storedValue) => storedValue !== null && String(storedValue) === value);
}

/**
 * Returns a problem for each value that refers to unknown reference data, such as a currency or a country. A write may repeat an unknown
 * value that the row already has, because `/v1` can store such values through `legacy`.
 */
export async function referenceProblems(context: Context, cls: RecordClass, input: Values, id: unknown): Promise<Problems> {
  const problems = new Problems();
  const unknownReferences: Reference[] = [];
  const rowId = typeof id === 'string' && id !== '' ? id : null;
  for (const reference of referencesIn(metaOf(cls), input, 'input.', ''))
    if (!(await rowExists(context, reference, rowId !== null))) unknownReferences.push(reference);
  if (unknownReferences.length === 0) return problems;
  const keys = unknownReferences.map(({ key }) => key);
  const [row] = rowId === null ? [] : await context.sql.statement(rowStatement(cls, keys), [rowId]);
  for (const reference of unknownReferences) {
    const { field, path, target } = reference;
    if (!isStored(row, reference))
      problems.add(path, field.nameReference?.expected ?? `the id of ${withArticle(optionsOf(target).one)}`);
  }
  return problems;
}

/** Throws BAD_INPUT for values that refer to unknown reference data. */
export const checkReferences = async (context: Context, cls: RecordClass, input: Values, id?: unknown): Promise<void> =>
  (await referenceProblems(context, cls, input, id)).throwIfAny();
