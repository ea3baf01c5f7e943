import { type Column, columnOf, columnsOf, metaOf, type RecordClass, type RecordMeta } from '../../kernel/declare/meta.js';
import { optionsOf } from '../../kernel/declare/record.js';
import { lookupTables, recordClasses } from '../tables.js';
import { type ColumnType, columnLimitsOf, columnTypeOf, defaultOf, knownValuesOf } from './column-type.js';
import { hintColumnOf, secretFormatOf, secretKeyOf } from './hashed-columns.js';

/** Column of a table, in the form that export and import files use. */
export interface DictionaryColumn {
  /** Name in the database, and key in files. */
  readonly name: string;
  readonly description: string;
  readonly type: ColumnType;
  /** Whether each row needs a value. Other columns can be null or missing. */
  readonly required: boolean;
  /** Default value. Null if the default is null. */
  readonly default: string | null;
  /** Whether the service computes the value. Values in imported files are ignored. */
  readonly isComputed: boolean;
  /** Limits and format, as noun phrases, such as `at most 200 characters`. */
  readonly limits: readonly string[];
  /** All values of an enumeration. Null for other columns. */
  readonly values: readonly string[] | null;
  /**
   * Values that the graph returns as an enumeration. Other values are also accepted and stored. Null if the graph returns no enumeration.
   */
  readonly knownValues: readonly string[] | null;
  /** Column that the value refers to, such as `tournament.id`. Null if the value refers to no column. */
  readonly reference: string | null;
  /** Whether rows that refer to missing rows are refused. */
  readonly isReferenceChecked: boolean;
  readonly unique: boolean;
  /** Key of the unhashed secret, which an import accepts instead of this column. Null if the column does not contain the hash of a secret. */
  readonly valueKey: string | null;
  /** Format of the unhashed secret, as a noun phrase. Null if there is none, or if it can be any text. */
  readonly valueFormat: string | null;
}

/** Table of a record, and its file. */
export interface DictionaryTable {
  readonly table: string;
  /** Name of the GraphQL type. */
  readonly record: string;
  readonly description: string;
  readonly columns: readonly DictionaryColumn[];
  /** Whether the table contains lookup data, which is part of each release. */
  readonly isLookup: boolean;
  /** Groups of columns that are unique together. */
  readonly uniqueKeys: readonly (readonly string[])[];
}

/** Values that triggers set in columns without a default. */
const columnsSetByTriggers: Readonly<Record<string, string>> = { 'app_user.slug': 'the slug of the name, or `~` and the ID' };

/**
 * Returns the column that a field refers to, by ID or by name. If there are several such columns, joins their names with `or`. Null if the
 * field refers to no record.
 */
function referenceOf({ field: { ref, nameReference } }: Column): string | null {
  if (ref) return `${optionsOf(ref.target()).table}.id`;
  if (!nameReference) return null;
  const target = nameReference.target();
  const columns = nameReference.columns.map((key) => columnOf(metaOf(target), key).column);
  return columns.map((column) => `${optionsOf(target).table}.${column}`).join(' or ');
}

/**
 * Whether the target of a reference must exist. References by name to lookup data are not checked. References to the users who created or
 * changed a row are not checked, because these users may have been deleted from the other system.
 */
const isReferenceChecked = ({ field: { ref, readOnly, secret, index, kind } }: Column): boolean =>
  ref !== null && !(kind === 'ref' && readOnly && secret && !index);

/**
 * Describes a column. If a record has both a time from the service and a reported time, the description states which of them `/v1` and
 * GraphQL return.
 */
function descriptionOf(meta: RecordMeta, { key, field }: Column): string {
  if (key.startsWith('reported.')) return `${field.description} \`${key}\` in GraphQL. \`/v1\` returns only this value.`;
  const reported = columnsOf(meta).get(`reported.${key}`);
  return reported
    ? `${field.description} \`${key}\` in GraphQL. \`/v1\` returns \`${reported.column}\` instead.`
    : field.description;
}

function columnEntry(table: string, meta: RecordMeta, column: Column): DictionaryColumn {
  const { field, column: name } = column;
  const hint = hintColumnOf(table, name);
  const fallback = defaultOf(field) ?? columnsSetByTriggers[`${table}.${name}`] ?? null;
  return {
    name,
    description: descriptionOf(meta, column),
    type: columnTypeOf(field),
    required: field.required && fallback === null,
    default: fallback,
    isComputed: field.isComputed ?? false,
    limits: [...columnLimitsOf(field), ...(hint ? [`derived from \`${hint.valueKey}\` if missing`] : [])],
    values: field.kind === 'values' && field.values ? Object.keys(field.values) : null,
    knownValues: knownValuesOf(field),
    reference: referenceOf(column),
    isReferenceChecked: isReferenceChecked(column),
    unique: field.unique || field.kind === 'id',
    valueKey: secretKeyOf(table, name),
    valueFormat: secretFormatOf(table, name)?.expected ?? null,
  };
}

function tableEntry(cls: RecordClass): DictionaryTable {
  const meta: RecordMeta = metaOf(cls);
  const { table, key } = optionsOf(cls);
  return {
    table,
    record: meta.name,
    description: meta.description ?? '',
    columns: [...columnsOf(meta).values()].map((column) => columnEntry(table, meta, column)),
    isLookup: lookupTables.includes(table),
    uniqueKeys: key ? [key.map((part) => columnOf(meta, part).column)] : [],
  };
}

let cachedTables: readonly DictionaryTable[] | undefined;

/** Returns the data dictionary: the tables of all records, with their columns. Exports and imports of records share it. */
export function dictionary(): readonly DictionaryTable[] {
  cachedTables ??= recordClasses.map(tableEntry);
  return cachedTables;
}
