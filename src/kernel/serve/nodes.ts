import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../declare/context.js';
import { pathIn, reject } from '../declare/errors.js';
import { GeneratedType } from '../declare/fields/generated.js';
import { findRecord, type RecordClass } from '../declare/meta.js';
import { readNodeId } from '../declare/node.js';
import { guard } from '../declare/policy/policy.js';
import { isInSchema, optionsOf } from '../declare/record.js';
import type { RowOf } from '../declare/row.js';
import type { PolymorphicTargets } from '../read/relations/polymorphic.js';
import { selectedColumns } from '../read/select.js';

/** Row whose property `$type` contains the name of its type. */
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
 * Reads the row with the given ID, for a field with a union or interface type. Reads the columns that the query selects for the type of the
 * record, in one statement for all rows of that type. Null if the row does not exist, or if the caller cannot see it.
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

/** Maximum number of IDs in one `nodes` field. */
export const maxNodeIds = 100;

/** Record and ID that a global ID refers to. */
interface NodeReference {
  readonly cls: RecordClass;
  readonly id: string;
}

/** Decodes a global ID. Throws BAD_INPUT for `path` if it is not an ID of this service. */
function parseNodeReference(nodeId: string, path: string): NodeReference {
  const decodedId = readNodeId(nodeId);
  const cls = decodedId && findRecord(decodedId.type);
  if (!cls || !isInSchema(optionsOf(cls))) return reject(path, 'the `nodeId` of a record');
  return { cls, id: decodedId.id };
}

/** Reads a record. Null if the caller cannot see it. Throws if the caller may not read records of its type. */
async function readRecord(context: Context, { cls, id }: NodeReference, info: GraphQLResolveInfo): Promise<NodeRow | null> {
  const { canLookUp, read: readPolicies } = optionsOf(cls);
  guard(readPolicies, context.caller);
  const row = readTypedRow(context, cls, id, info);
  if (!canLookUp) return row;
  const [visibleRow, isAllowed] = await Promise.all([row, canLookUp(context.sql, id)]);
  return isAllowed ? visibleRow : null;
}

/** Reads a record by global ID. Returns the same result as the root field of its type. */
export const readNode = (context: Context, nodeId: string, info: GraphQLResolveInfo): Promise<NodeRow | null> =>
  readRecord(context, parseNodeReference(nodeId, 'id'), info);

/** Reads records by global ID, in the order of the IDs. If an ID is invalid or forbidden, its item in the list is an error. */
export async function readNodes(context: Context, nodeIds: readonly string[], info: GraphQLResolveInfo) {
  if (nodeIds.length > maxNodeIds) reject('ids', `at most ${maxNodeIds} ids`);
  const results = await Promise.allSettled(
    nodeIds.map(async (nodeId, index) => readRecord(context, parseNodeReference(nodeId, pathIn('ids', index)), info)),
  );
  // If a list contains an error, `graphql` reports it as the error of that item.
  return results.map((result): NodeRow | Error | null => {
    if (result.status === 'fulfilled') return result.value;
    return result.reason instanceof Error ? result.reason : new Error(String(result.reason));
  });
}
