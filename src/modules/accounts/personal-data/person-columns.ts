import { type Column, columnsOf, metaOf, type RecordClass, recordMetas } from '../../../kernel/declare/meta.js';
import { optionsOf } from '../../../kernel/declare/record.js';
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

/** SQL over `r`: whether the row names the person, whose id is the first value, in one of these columns. */
export const namesPerson = (columns: readonly Column[]): string =>
  columns
    .map(({ column, field }) => (field.kind === 'list' ? `r.${column} @> array[$1::text]` : `r.${column} = $1::text`))
    .join(' or ') || 'false';

/** SQL over `r`: whether the row is the person's own, as the record says; false where it says nothing. */
export function own(cls: RecordClass): string {
  const { person } = optionsOf(cls);
  if (!person) return 'false';
  return isTheirs(cls, person.by, '$1::text', (target) => {
    if (target === User) return null;
    return optionsOf(target).person?.by ?? fault(`${cls.name}.${person.by} leads to no person`);
  });
}

/** Records that hold something about users, or may: all but those that come with the service. */
export const recordsOfPeople = (): RecordClass[] => recordMetas().flatMap(({ cls, options }) => (options?.constant ? [] : [cls]));
