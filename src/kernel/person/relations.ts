import { type Column, columnOf, columnsOf, metaOf, type RecordClass, recordMetas, recordNamed } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';

/** Columns of a record that name users: one each, or many in a list. */
export const namingUsers = (cls: RecordClass): Column[] =>
  [...columnsOf(metaOf(cls)).values()].filter(({ field }) => field.ref?.target() === recordNamed('User'));

/** Whether a column says who made or changed a row, and not what the row is about. */
export const isStamp = ({ field }: Column): boolean => field.secret && field.readOnly && field.kind === 'ref';

/** SQL over `r`: whether the row names the person, whose id is the first value, in one of these columns. */
export const namesPerson = (columns: readonly Column[]): string =>
  columns
    .map(({ column, field }) => (field.kind === 'list' ? `r.${column} @> array[$1::text]` : `r.${column} = $1::text`))
    .join(' or ') || 'false';

/** SQL over `r`: whether the row is the person's own, as the record says; false where it says nothing. */
export function own(cls: RecordClass, row = 'r'): string {
  const { person } = optionsOf(cls);
  if (!person) return 'false';
  const { column, field } = columnOf(metaOf(cls), person.by);
  const target = field.ref?.target();
  if (!target) throw new Error(`${cls.name}.${person.by} is no relation`);
  if (target === recordNamed('User')) return `${row}.${column} = $1::text`;
  const inner = `${row}_of`;
  return `exists (select from ${optionsOf(target).table} ${inner} where ${inner}.id = ${row}.${column} and ${own(target, inner)})`;
}

/** Records that hold something about users, or may: all but those that come with the service. */
export const recordsOfPeople = (): RecordClass[] => recordMetas().flatMap(({ cls, options }) => (options?.constant ? [] : [cls]));
