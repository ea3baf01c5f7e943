import { alwaysFalse, anyOf, expression, mainRow, type SqlExpression } from '../../../../kernel/declare/expression.js';
import { type Column, columnsOf, metaOf, type RecordClass, recordMetas } from '../../../../kernel/declare/meta.js';
import { optionsOf } from '../../../../kernel/declare/record.js';
import { isOwnedBy } from '../../../../kernel/read/conditions/visible.js';
import { User } from '../user.js';

function throwError(message: string): never {
  throw new Error(message);
}

/** Returns the columns of a record that refer to one user or to a list of users. */
export const userColumns = (cls: RecordClass): Column[] =>
  [...columnsOf(metaOf(cls)).values()].filter(({ field }) => field.ref?.target() === User);

/** Whether a column refers to the user who created or last changed a row. */
export const isAuthorColumn = ({ field }: Column): boolean => field.secret && field.readOnly && field.kind === 'ref';

/** Returns the SQL condition that at least one of the columns in the row `r` refers to the person with the ID. */
export const refersToPerson = (columns: readonly Column[], id: SqlExpression): SqlExpression =>
  anyOf(
    columns.map(({ column, field }) =>
      field.kind === 'list'
        ? expression`${mainRow.column(column)} @> array[${id}::text]`
        : expression`${mainRow.column(column)} = ${id}::text`,
    ),
  );

/** Returns the SQL condition that the row `r` belongs to the person. It is `false` for records that do not declare `person`. */
export function belongsToPerson(cls: RecordClass, id: SqlExpression): SqlExpression {
  const { person } = optionsOf(cls);
  if (!person) return alwaysFalse;
  return isOwnedBy(cls, person.field, expression`${id}::text`, mainRow, (target) => {
    if (target === User) return null;
    return (
      optionsOf(target).person?.field ??
      throwError(`${cls.name}.${person.field} must refer to a user, or to a record that declares \`person\``)
    );
  });
}

/** Returns the records that can contain data about users: all except constant ones. */
export const recordsWithPersonalData = (): RecordClass[] =>
  recordMetas().flatMap(({ cls, options }) => (options?.constant ? [] : [cls]));
