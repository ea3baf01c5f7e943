import type { DecodedRecord } from '../../../compat/import/read-record.js';
import { type Column, columnsOf, findRecord, metaOf, type RecordMeta, recordMetas } from '../../kernel/declare/meta.js';
import { optionsOf } from '../../kernel/declare/record.js';
import { referenceData } from '../../modules/reference/data.js';

/** Row of a table. `values` are keyed by column. */
export interface TableRow {
  readonly table: string;
  readonly id: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Classes of lookup data, which is part of each release, such as countries. */
const lookupRecords: ReadonlySet<unknown> = new Set(referenceData.map(([cls]) => cls));

/** Returns the metadata of a record type. Null for lookup data, which is not imported, and for types that are not records. */
export function importedRecordMeta(type: string): RecordMeta | null {
  const cls = findRecord(type);
  return cls && !lookupRecords.has(cls) ? metaOf(cls) : null;
}

const columnsByPath = new WeakMap<RecordMeta, Map<string, Column>>();

/** Returns the columns of a record, keyed by GraphQL path without `legacy`. */
function columnsAt(meta: RecordMeta): Map<string, Column> {
  const existing = columnsByPath.get(meta);
  if (existing) return existing;
  const columns = new Map(
    [...columnsOf(meta).values()].map((column) => {
      const { legacyOnlyName } = column.field;
      return [legacyOnlyName ? column.key.replace(/[^.]+$/, legacyOnlyName) : column.key, column];
    }),
  );
  columnsByPath.set(meta, columns);
  return columns;
}

const isDecodedRecord = (value: unknown): value is DecodedRecord =>
  typeof value === 'object' && value !== null && 'values' in value && value.values instanceof Map;

/** Converts an item of a JSON list. Omits values that are not set, as the database does. */
function itemOf({ values }: DecodedRecord, meta: RecordMeta | null): Record<string, unknown> {
  return Object.fromEntries([...values].filter(([path, value]) => value !== null && (!meta || meta.fields.has(path))));
}

/**
 * Kinds of fields that are 0 in responses if they are not set. A `DecodedRecord` contains null instead of 0, so null in a required field
 * means 0.
 */
const numberKinds: ReadonlySet<string> = new Set(['int', 'num', 'money']);

function columnValueOf({ field }: Column, value: unknown): unknown {
  if (Array.isArray(value) && value.some(isDecodedRecord)) {
    const group = field.group?.();
    const item = Array.isArray(group) ? metaOf(group[0]) : null;
    return value.filter(isDecodedRecord).map((record) => itemOf(record, item));
  }
  if (value === null) return field.required ? (numberKinds.has(field.kind) ? 0 : undefined) : null;
  // If the conversion loses information, a field in `legacy` has the stored value instead.
  if (field.conversion?.isLossless) return field.conversion.toStored(value);
  return field.kind === 'money' && typeof value === 'number' ? String(value) : value;
}

const nestedRecords = ({ values }: DecodedRecord): DecodedRecord[] => [...values.values()].flat().filter(isDecodedRecord);

/** Returns the row of a record, and the rows of its nested records. Omits records without an ID. */
export function rowsOf(record: DecodedRecord): TableRow[] {
  const meta = importedRecordMeta(record.type);
  const nestedRows = nestedRecords(record).flatMap(rowsOf);
  const id = record.values.get('id');
  if (!meta?.options || typeof id !== 'string') return nestedRows;
  const columns = columnsAt(meta);
  const values = [...record.values].flatMap(([path, value]) => {
    const column = columns.get(path);
    const columnValue = column && columnValueOf(column, value);
    return columnValue === undefined ? [] : [[column?.column, columnValue] as const];
  });
  return [{ table: optionsOf(meta.cls).table, id, values: Object.fromEntries(values) }, ...nestedRows];
}

/** Returns the direction in which lists of a table are sorted by creation time. Null if the table has no creation time. */
export function creationOrderOf(table: string): 'ASC' | 'DESC' | null {
  const meta = metaOfTable(table);
  if (!meta?.fields.has('createdAt')) return null;
  const isAscending = meta.options?.order?.some(({ field, direction }) => field === 'createdAt' && direction === 'ASC');
  return isAscending ? 'ASC' : 'DESC';
}

const metaOfTable = (table: string): RecordMeta | undefined => recordMetas().find(({ options }) => options?.table === table);

/** Columns of each table that refer to other records, with the types of these records. */
const referenceColumns = new Map<string, readonly { column: string; type: string }[]>();

function referenceColumnsOf(table: string): readonly { column: string; type: string }[] {
  const existing = referenceColumns.get(table);
  if (existing) return existing;
  const meta = metaOfTable(table);
  const columns = [...(meta ? columnsOf(meta).values() : [])].flatMap(({ column, field: { ref } }) =>
    ref ? [{ column, type: metaOf(ref.target()).name }] : [],
  );
  referenceColumns.set(table, columns);
  return columns;
}

/** Returns the types and IDs of the records that a row refers to. */
export function referencesOf(table: string, values: Readonly<Record<string, unknown>>): { type: string; id: string }[] {
  return referenceColumnsOf(table).flatMap(({ column, type }) =>
    [values[column]].flat().flatMap((id) => (typeof id === 'string' && id !== '' ? [{ type, id }] : [])),
  );
}
