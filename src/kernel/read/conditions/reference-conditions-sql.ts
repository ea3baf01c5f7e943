import { expression, type Parameter, parameter, type RowReference, type SqlExpression } from '../../declare/expression.js';
import { referenceDataOf } from '../../declare/fields/legacy-fields.js';
import { type Column, columnOf, type NameReference, type RecordClass, type RecordMeta } from '../../declare/meta.js';
import { runChecks } from '../../declare/problems.js';
import type { Row, RowsById } from '../../declare/row.js';
import { toNfc } from '../../declare/scalars/text.js';
import type { Session } from '../../session.js';
import { constantRows } from '../constant-rows.js';
import { rowsWithName } from '../rows-by-name.js';
import { filterColumns } from './filterable.js';
import { columnConditions, conditionsBy, equalityOperators } from './operators.js';

/** Rows of reference data that a filter refers to by name, grouped by record. */
export type ReferencedRows = ReadonlyMap<RecordClass, RowsById>;

/** Returns how a text column refers to reference data by name. Null for other columns. */
const referenceOf = ({ field }: Column): NameReference | null =>
  field.nameReference && !field.conversion && referenceDataOf(field) ? field.nameReference : null;

/** Returns the column that contains the parent's name, such as the country column for the state column. Null if there is none. */
function parentColumn(meta: RecordMeta, column: Column): Column | null {
  const parent = referenceOf(column)?.parent;
  return parent ? columnOf(meta, column.key.slice(0, column.key.lastIndexOf('.') + 1) + parent.field) : null;
}

/** Reads the reference data that a filter refers to by name. */
export async function referencedRowsOf(
  sql: Session,
  cls: RecordClass,
  filter: Record<string, unknown> | null | undefined,
): Promise<ReferencedRows> {
  const rows = new Map<RecordClass, RowsById>();
  for (const { meta, column } of filter ? filterColumns(cls, filter) : [])
    for (const nameColumn of [column, parentColumn(meta, column)]) {
      const target = nameColumn && referenceOf(nameColumn)?.target();
      if (target && !rows.has(target)) rows.set(target, await constantRows(sql, target));
    }
  return rows;
}

const namesOf = ({ columns }: NameReference, row: Row): string[] =>
  columns.flatMap((key) => (row[key] === null ? [] : [toNfc(String(row[key]))]));

/** Names that are equivalent to one of the requested names. */
interface EqualNames {
  readonly names: string[];
  /** Ambiguous names, which other records also have. Each is paired with a name of the record's parent. */
  readonly namesInParents: readonly (readonly [name: string, parentName: string])[];
}

/** Returns all names of the records that have one of the requested names. `parentNames` returns the names of a record's parent. */
function equalNames(
  rows: RowsById,
  reference: NameReference,
  requestedNames: readonly string[],
  parentNames: (row: Row) => readonly string[],
): EqualNames {
  const names = new Set(requestedNames);
  const namesInParents: [string, string][] = [];
  const requestedRows = new Set(requestedNames.flatMap((name) => rowsWithName(rows, reference.columns, name)));
  for (const row of requestedRows)
    for (const name of namesOf(reference, row))
      if (rowsWithName(rows, reference.columns, name).every((other) => requestedRows.has(other))) names.add(name);
      else for (const parentName of parentNames(row)) namesInParents.push([name, parentName]);
  return { names: [...names], namesInParents };
}

const comparedText = ({ column }: Column, row: RowReference): SqlExpression => expression`lower(nfc(${row.column(column)}))`;

/** Returns a function that builds the condition that a column contains a requested name or another name of the same record. */
function nameConditionBuilder(meta: RecordMeta, column: Column, references: ReferencedRows, row: RowReference) {
  const reference = referenceOf(column);
  const rows = reference && references.get(reference.target());
  if (!reference || !rows) return null;
  const parent = parentColumn(meta, column);
  const parentReference = parent && referenceOf(parent);
  const parentRows = parentReference && references.get(parentReference.target());
  const parentNames = (referencedRow: Row): string[] => {
    const parentRow = reference.parent && parentRows?.get(referencedRow[reference.parent.key]);
    return parentReference && parentRow ? namesOf(parentReference, parentRow) : [];
  };
  return (requestedNames: readonly string[]): SqlExpression => {
    const { names, namesInParents } = equalNames(rows, reference, requestedNames.map(toNfc), parentNames);
    const text = comparedText(column, row);
    const isNamed = expression`${text} = any(array(select lower(t) from unnest(${parameter(names)}::text[]) t))`;
    if (!parent || namesInParents.length === 0) return isNamed;
    const ownNames = parameter(namesInParents.map(([name]) => name));
    const namesOfParents = parameter(namesInParents.map(([, parentName]) => parentName));
    const pairs = expression`select lower(t.name), lower(t.parent) from unnest(${ownNames}::text[], ${namesOfParents}::text[]) t(name, parent)`;
    return expression`(${isNamed} or (${text}, ${comparedText(parent, row)}) in (${pairs}))`;
  };
}

/**
 * Returns conditions on a text that contains a name of reference data. Null for other columns. All names of a record are equivalent, and
 * case is ignored: `eq: "TX"` matches `Texas`. If several records share a name, such as `WA`, the parent must also match.
 */
export function referenceConditions(
  meta: RecordMeta,
  column: Column,
  operands: unknown,
  references: ReferencedRows,
  row: RowReference,
  path: string,
): SqlExpression[] | null {
  const isOneOf = nameConditionBuilder(meta, column, references, row);
  if (!isOneOf || typeof operands !== 'object' || operands === null) return null;
  const { eq, ne, in: list, ...otherOperands } = operands as Record<string, unknown>;
  const condition = (value: unknown) => isOneOf([value].flat().map(String));
  const table = {
    eq: { ...equalityOperators.eq, sql: (_: SqlExpression, { value }: Parameter) => condition(value) },
    ne: {
      ...equalityOperators.ne,
      sql: (_: SqlExpression, { value }: Parameter) => expression`not coalesce(${condition(value)}, false)`,
    },
    in: { ...equalityOperators.in, sql: (_: SqlExpression, { value }: Parameter) => condition(value) },
  };
  return runChecks(
    () => conditionsBy(table, { eq, ne, in: list }, row, path),
    () => columnConditions(column, otherOperands, row, path),
  ).flat();
}
