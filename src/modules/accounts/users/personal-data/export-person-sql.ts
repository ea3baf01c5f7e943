import { alwaysFalse, anyOf, expression, parameter, Shape } from '../../../../kernel/declare/expression.js';
import { type Column, columnsOf, metaOf, type RecordClass } from '../../../../kernel/declare/meta.js';
import type { Caller } from '../../../../kernel/declare/policy/caller.js';
import { optionsOf } from '../../../../kernel/declare/record.js';
import type { Row } from '../../../../kernel/declare/row.js';
import { selectionFor } from '../../../../kernel/read/selection.js';
import type { Session } from '../../../../kernel/session.js';
import { queryBuilder, statementOf } from '../../../../kernel/statement.js';
import { User } from '../user.js';
import { belongsToPerson, isAuthorColumn, recordsWithPersonalData, refersToPerson, userColumns } from './person-columns.js';

/** Whether a column is part of the export. Excludes secret columns such as hashes, but not references. */
const isExported = ({ field }: Column): boolean => !field.secret || field.ref !== null;

/** Converts dotted keys to nested objects: `{ 'location.city': 'Austin' }` becomes `{ location: { city: 'Austin' } }`. */
function withNestedGroups(row: Row): Row {
  const result: Row = {};
  for (const [key, value] of Object.entries(row)) {
    const [head = '', inner] = key.split('.');
    const group = result[head];
    if (inner === undefined) result[head] = value;
    else result[head] = { ...(typeof group === 'object' && group), [inner]: value };
  }
  return result;
}

/** Returns the values of a row that the person may see. */
function visibleValuesOf(cls: RecordClass, row: Row, person: Caller): Row {
  const { canSeePrivateFields, restriction } = optionsOf(cls);
  const hiddenFields = new Set(restriction && !restriction.canSee(row, person) ? restriction.fields : []);
  const canSeePrivate = canSeePrivateFields?.(row, person) ?? false;
  for (const { name, private: isPrivate } of metaOf(cls).fields.values()) if (isPrivate && !canSeePrivate) hiddenFields.add(name);
  return Object.fromEntries(Object.entries(row).filter(([key]) => !hiddenFields.has(key.split('.')[0] ?? '')));
}

/** Reads the rows that refer to the user or belong to the user. */
async function rowsOf(sql: Session, cls: RecordClass, id: string, person: Caller): Promise<readonly Row[]> {
  const subjectColumns = userColumns(cls).filter((column) => !isAuthorColumn(column));
  const userId = parameter(id);
  const conditions =
    cls === User ? [expression`r.id = ${userId}::text`] : [refersToPerson(subjectColumns, userId), belongsToPerson(cls, userId)];
  if (conditions.every((condition) => condition === alwaysFalse)) return [];
  const where = anyOf(conditions);
  const keys = [...columnsOf(metaOf(cls)).values()].filter(isExported).map(({ key }) => key);
  const { columns } = selectionFor(cls, keys);
  const query = () =>
    queryBuilder
      .selectFrom(`${optionsOf(cls).table} as r`)
      .select(columns)
      .where(where.typed())
      .orderBy('r.id');
  const shape = new Shape().add('person', cls.name, where);
  const rows = await sql.statement(statementOf(shape, query), shape.values);
  return rows.map((row) => withNestedGroups(visibleValuesOf(cls, row, person)));
}

/** Reads the IDs of the rows that the user created or last changed. */
async function idsWrittenBy(sql: Session, cls: RecordClass, id: string): Promise<unknown[]> {
  const authorColumns = userColumns(cls).filter(isAuthorColumn);
  if (authorColumns.length === 0) return [];
  const where = refersToPerson(authorColumns, parameter(id));
  const query = () =>
    queryBuilder
      .selectFrom(`${optionsOf(cls).table} as r`)
      .select('r.id')
      .where(where.typed())
      .orderBy('r.id');
  const shape = new Shape().add('stamped', cls.name, where);
  return (await sql.statement(statementOf(shape, query), shape.values)).map((row) => row.id);
}

/**
 * Exports the data about a person: rows grouped by record type, and in `changed`, the IDs of the rows that the person created or last
 * changed.
 */
export async function exportPerson(sql: Session, id: string, person: Caller): Promise<Record<string, unknown>> {
  const rowsByRecord: Row = {};
  const changed: Row = {};
  for (const cls of recordsWithPersonalData()) {
    const rows = await rowsOf(sql, cls, id, person);
    if (rows.length > 0) rowsByRecord[cls.name] = rows;
    const ids = await idsWrittenBy(sql, cls, id);
    if (ids.length > 0) changed[cls.name] = ids;
  }
  return { ...rowsByRecord, changed };
}
