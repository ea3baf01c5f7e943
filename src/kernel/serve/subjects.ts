import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../declare/context.js';
import { GeneratedType } from '../declare/fields/generated.js';
import type { RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import type { RowOf } from '../declare/row-of.js';
import type { PolymorphicTargets } from '../read/relations/polymorphic.js';
import { selectedColumns } from '../read/select.js';

/** Row with the name of its type in `$type`. */
export type NodeRow = RowOf<object> & { readonly $type: string };

/** Returns the type name of a row, for unions and interfaces. */
export const typeOfRow = (row: object): string => ('$type' in row ? String(row.$type) : '');

/** Declares a union of records. */
export const unionOf = (
  name: string,
  description: string,
  records: Readonly<Record<string, RecordClass>>,
): PolymorphicTargets => ({
  name,
  type: new GeneratedType(name, { kind: 'union', description, types: () => Object.values(records) }),
  records,
});

/**
 * Reads the row with an ID, for a field with a union or interface type. Reads the columns that the query selects for the type of the record, in one
 * statement for all rows of the type. Null if the row does not exist, or if the caller cannot see it.
 */
export async function readTypedRow(
  { caller, loaders }: Context,
  cls: RecordClass,
  id: string,
  info: GraphQLResolveInfo,
): Promise<NodeRow | null> {
  if (id === '' || !optionsOf(cls).read.some((policy) => policy.permitsCaller(caller))) return null;
  const row = await loaders.loadRow(cls, selectedColumns(cls, info), id);
  return row && { ...row, $type: cls.name };
}
