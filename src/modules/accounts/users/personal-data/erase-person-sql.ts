import type { DeletedRows } from '../../../../kernel/declare/deleted-ids.js';
import {
  alwaysFalse,
  anyOf,
  constantSql,
  expression,
  joinExpressions,
  mainRow,
  parameter,
  type SqlExpression,
} from '../../../../kernel/declare/expression.js';
import { valueWhenUnset } from '../../../../kernel/declare/fields/stored-fields.js';
import { type Column, columnsOf, type FieldMeta, metaOf, type RecordClass } from '../../../../kernel/declare/meta.js';
import { optionsOf } from '../../../../kernel/declare/record.js';
import { sqlForWriting } from '../../../../kernel/facts.js';
import { is } from '../../../../kernel/row-shape.js';
import type { Session } from '../../../../kernel/session.js';
import { writingSql } from '../../../../kernel/statement.js';
import { deleteDependents } from '../../../../kernel/write/dependents-sql.js';
import { User } from '../user.js';
import { belongsToPerson, recordsWithPersonalData, refersToPerson, userColumns } from './person-columns.js';

/** Personal data of a user that is removed from all records. */
export interface ErasedPersonalData {
  id: string;
  /** First and last name. Null if one of them is missing, because a single word is too ambiguous to search for. */
  name: string | null;
  /** Email addresses and phone numbers, in lower case. */
  contacts: readonly string[];
  /** PostgreSQL regular expression that matches the name and contacts in a text. */
  pattern: string;
}

/** Name that replaces the name of an erased user. */
const placeholder = { firstName: 'Deleted', lastName: 'user' } as const;
const placeholderName = constantSql(`'${placeholder.firstName} ${placeholder.lastName}'`);

/** Personal data as SQL expressions. */
type PersonParameters = Readonly<Record<keyof ErasedPersonalData, SqlExpression>>;

const parametersOf = ({ id, contacts, pattern, name }: ErasedPersonalData): PersonParameters => ({
  id: parameter(id),
  contacts: expression`${parameter(contacts)}::text[]`,
  pattern: expression`${parameter(pattern)}::text`,
  name: expression`${parameter(name)}::text`,
});

/**
 * Returns the column that contains the ID of the user whose name is in the given column, such as `created_by_id` for `created_by`.
 * Undefined if no column contains the ID.
 */
const userIdColumnFor = (cls: RecordClass, { key }: Pick<Column, 'key'>): string | undefined =>
  columnsOf(metaOf(cls)).get(`${key}Id`)?.column;

/** Whether a field contains free text. False for IDs, enumeration values and unique values. */
const isFreeText = ({ kind, conversion, nameReference: names, unique, comparison, ref, secret }: FieldMeta): boolean =>
  !conversion &&
  !names &&
  !unique &&
  !ref &&
  comparison !== 'exact' &&
  (kind === 'text' ? !secret : kind === 'json' || kind === 'list');

/** SQL for a column's new value in the row `r`, and the SQL condition for the rows to change. */
interface Change {
  column: SqlExpression;
  value: SqlExpression;
  where: SqlExpression;
}

function changeOf(cls: RecordClass, isAboutPerson: SqlExpression, column: Column, person: PersonParameters): Change | null {
  const { field } = column;
  const { id, contacts, pattern, name } = person;
  const currentValue = mainRow.column(column.column);
  const changeTo = (value: SqlExpression, where: SqlExpression): Change => ({ column: constantSql(column.column), value, where });
  const replaced = (text: SqlExpression) => expression`regexp_replace(${text}, ${pattern}, ${placeholderName}, 'gi')`;
  const idColumn = userIdColumnFor(cls, column);
  if (idColumn) {
    const userId = mainRow.column(idColumn);
    const isNameOfPerson = expression`(${userId} = ${id}::text or ${userId} is null and lower(${currentValue}) = lower(${name}))`;
    return changeTo(expression`case when ${isNameOfPerson} then ${placeholderName} else ${currentValue} end`, isNameOfPerson);
  }
  // Other users can have the same name or phone number, so their rows stay unchanged.
  if (cls === User || !isFreeText(field)) return null;
  if (field.kind === 'list') {
    const remaining = expression`array(select item from unnest(${currentValue}) with ordinality as items(item, place) where lower(item) <> all(${contacts}) order by place)`;
    return changeTo(remaining, expression`${currentValue} <> ${remaining}`);
  }
  if (field.kind === 'json') {
    const isAffected = expression`(${isAboutPerson}) and ${currentValue}::text ~* ${pattern}`;
    return changeTo(
      expression`case when ${isAffected} then ${replaced(expression`${currentValue}::text`)}::jsonb else ${currentValue} end`,
      isAffected,
    );
  }
  const isContact = expression`lower(${currentValue}) = any(${contacts})`;
  const isName = expression`lower(${currentValue}) = lower(${name})`;
  const containsPerson = expression`${currentValue} ~* ${pattern}`;
  const isWithin = field.mentionsPeople ? containsPerson : expression`(${isAboutPerson}) and ${containsPerson}`;
  const isOwn = field.personal ? expression`${currentValue} is not null and ${belongsToPerson(cls, id)}` : alwaysFalse;
  const emptyValue = field.required ? expression`''` : expression`null`;
  return changeTo(
    expression`case when ${isOwn} or ${isContact} then ${emptyValue} when ${isName} then ${placeholderName} when ${isWithin} then ${replaced(currentValue)} else ${currentValue} end`,
    expression`(${isOwn}) or ${isContact} or ${isName} or (${isWithin})`,
  );
}

/** Deletes the rows that belong to a user if the record has `person.deletesRows`. Returns their IDs. */
async function deleteOwnRows(sql: Session, cls: RecordClass, { id }: ErasedPersonalData): Promise<string[]> {
  const { person, table } = optionsOf(cls);
  if (!person?.deletesRows) return [];
  const isOwned = belongsToPerson(cls, parameter(id));
  const statement = expression`delete from ${constantSql(table)} r where ${isOwned} returning r.id`;
  const rows = await sql.rows(...writingSql(table, statement), { id: is.text });
  return rows.map((row) => row.id);
}

/** Removes the name and contacts of a user from the rows of one table. */
async function eraseFromTable(sql: Session, cls: RecordClass, personalData: ErasedPersonalData): Promise<void> {
  const { table } = optionsOf(cls);
  const person = parametersOf(personalData);
  const { id, contacts, pattern, name } = person;
  const isAboutPerson = anyOf([refersToPerson(userColumns(cls), id), belongsToPerson(cls, id)]);
  const changes = [...columnsOf(metaOf(cls)).values()].flatMap((column) => changeOf(cls, isAboutPerson, column, person) ?? []);
  if (changes.length === 0) return;
  const assignments = joinExpressions(
    changes.map(({ column, value }) => expression`${column} = ${value}`),
    ', ',
  );
  const isAffected = anyOf(changes.map(({ where }) => expression`(${where})`));
  const statement = expression`update ${constantSql(table)} r set ${assignments}
     where ${contacts} is not null and ${pattern} is not null and coalesce(${name}, ${id}::text) is not null and (${isAffected})`;
  await sql.rows(...writingSql(table, statement));
}

/**
 * Clears all columns of the user except the ID, the version, the timestamps and references to users. Sets a placeholder name and marks the
 * user as erased.
 */
async function clearUser(sql: Session, id: string): Promise<void> {
  const preservedKeys = new Set([
    'id',
    'version',
    'createdAt',
    'updatedAt',
    'erasedAt',
    ...userColumns(User).map(({ key }) => key),
  ]);
  const columns = [...columnsOf(metaOf(User)).values()].filter(
    ({ key }) => !preservedKeys.has(key) && !userIdColumnFor(User, { key }),
  );
  const replacementFor = ({ key, field }: Column) => Reflect.get(placeholder, key) ?? valueWhenUnset(field);
  await sql.rows(
    sqlForWriting(
      [optionsOf(User).table],
      `update ${optionsOf(User).table} r set ${columns.map(({ column }, index) => `${column} = $${index + 2}`).join(', ')},
       version = r.version + 1, updated_at = clock_timestamp(),
       erased_at = coalesce(r.erased_at, clock_timestamp()) where r.id = $1`,
    ),
    [id, ...columns.map(replacementFor)],
  );
}

/** Removes a person from all records, in the open transaction. Returns the IDs of the deleted rows and of their dependents. */
export async function erasePerson(sql: Session, personalData: ErasedPersonalData): Promise<DeletedRows> {
  const deletedRows = new Map<string, string[]>();
  const addDeletedRows = (record: string, ids: readonly string[]) =>
    deletedRows.set(record, [...(deletedRows.get(record) ?? []), ...ids]);
  for (const cls of recordsWithPersonalData()) {
    const ids = await deleteOwnRows(sql, cls, personalData);
    addDeletedRows(cls.name, ids);
    for (const [record, dependentIds] of await deleteDependents(sql, cls, ids)) addDeletedRows(record, dependentIds);
    await eraseFromTable(sql, cls, personalData);
  }
  await clearUser(sql, personalData.id);
  return deletedRows;
}
