import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../declare/context.js';
import { GeneratedType } from '../declare/generated.js';
import type { RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import type { RowOf } from '../declare/row-of.js';
import { columnsWanted } from '../read/select.js';
import type { Subjects } from '../read/subjects.js';

/** A row that says of which record it is, by the name of its type. */
export type NodeRow = RowOf<object> & { readonly $type: string };

/** The name of its record, as rows say it where the graph does not know which one it is. */
export const typeOfRow = (row: object): string => ('$type' in row ? String(row.$type) : '');

/** One of several records: a union of the graph. */
export const unionOf = (name: string, description: string, records: Readonly<Record<string, RecordClass>>): Subjects => ({
  name,
  type: new GeneratedType(name, { kind: 'union', description, types: () => Object.values(records) }),
  records,
});

/**
 * The row of a record with that id, where the graph may show one of several records: what the selection asks of this one, all of one record
 * in one statement. Null where there is none, none that the caller sees, or where they may not read such records.
 */
export async function subjectOf(
  { caller, loaders }: Context,
  cls: RecordClass,
  id: string,
  info: GraphQLResolveInfo,
): Promise<NodeRow | null> {
  if (id === '' || !optionsOf(cls).read.some((policy) => policy.maybe(caller))) return null;
  const row = await loaders.one(cls, columnsWanted(cls, info), id);
  return row && { ...row, $type: cls.name };
}
