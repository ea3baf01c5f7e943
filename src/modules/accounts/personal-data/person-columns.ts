import { type Column, columnsOf, metaOf, type RecordClass, recordMetas } from '../../../kernel/declare/meta.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import type { Param } from '../../../kernel/declare/row.js';
import { isTheirs } from '../../../kernel/read/visible.js';
import { User } from '../user.js';

function fault(message: string): never {
  throw new Error(message);
}

/** Columns of a record that name users: one each, or many in a list. */
export const namingUsers = (cls: RecordClass): Column[] =>
  [...columnsOf(metaOf(cls)).values()].filter(({ field }) => field.ref?.target() === User);

/** Whether a column says who made or changed a row, and not what the row is about. */
export const isStamp = ({ field }: Column): boolean => field.secret && field.readOnly && field.kind === 'ref';

/** SQL over `r`: whether the row names the person in one of these columns. `person` is the placeholder of the ID. */
export const namesPerson = (columns: readonly Column[], person: string): string =>
  columns
    .map(({ column, field }) =>
      field.kind === 'list' ? `r.${column} @> array[${person}::text]` : `r.${column} = ${person}::text`,
    )
    .join(' or ') || 'false';

/** SQL: the row belongs to the person. False for a record without this option. */
export function own(cls: RecordClass, id: string, param: Param): string {
  const { person } = optionsOf(cls);
  if (!person) return 'false';
  return isTheirs(cls, person.by, `${id}::text`, param, (target) => {
    if (target === User) return null;
    return optionsOf(target).person?.by ?? fault(`${cls.name}.${person.by} leads to no person`);
  });
}

/** Records that hold something about users, or may: all but those that come with the service. */
export const recordsOfPeople = (): RecordClass[] => recordMetas().flatMap(({ cls, options }) => (options?.constant ? [] : [cls]));
