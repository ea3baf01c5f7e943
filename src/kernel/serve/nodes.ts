import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../declare/context.js';
import { pathIn, reject } from '../declare/errors.js';
import { findRecord, type RecordClass } from '../declare/meta.js';
import { readNodeId } from '../declare/node.js';
import { guard } from '../declare/policy.js';
import { isShown, optionsOf } from '../declare/record.js';
import { type NodeRow, subjectOf } from './subjects.js';

/** Most records that are read by their ids at once. */
export const maxNodes = 100;

/** A record that is meant. */
interface Meant {
  readonly cls: RecordClass;
  readonly id: string;
}

/** What an id among all kinds stands for; BAD_INPUT where this service never gave such a one. */
function meantBy(nodeId: string, path: string): Meant {
  const read = readNodeId(nodeId);
  const cls = read && findRecord(read.type);
  if (!cls || !isShown(optionsOf(cls))) return reject(path, 'the `nodeId` of a record');
  return { cls, id: read.id };
}

/** The record, for whoever may read one of its kind. */
async function read(context: Context, { cls, id }: Meant, info: GraphQLResolveInfo): Promise<NodeRow | null> {
  const { canLookUp, read: readers } = optionsOf(cls);
  guard(readers, context.caller);
  const row = subjectOf(context, cls, id, info);
  if (!canLookUp) return row;
  const [found, isAllowed] = await Promise.all([row, canLookUp(context.sql, id)]);
  return isAllowed ? found : null;
}

/** The record with that id among all kinds, as its own root field gives it by its plain id. */
export const readNode = (context: Context, nodeId: string, info: GraphQLResolveInfo): Promise<NodeRow | null> =>
  read(context, meantBy(nodeId, 'id'), info);

/** The records with these ids, in their order; a refusal, or an id that is none, is the answer in that place alone. */
export async function readNodes(context: Context, nodeIds: readonly string[], info: GraphQLResolveInfo) {
  if (nodeIds.length > maxNodes) reject('ids', `at most ${maxNodes} ids`);
  const results = await Promise.allSettled(
    nodeIds.map(async (nodeId, index) => read(context, meantBy(nodeId, pathIn('ids', index)), info)),
  );
  // An error among the items of a list is the answer of that item.
  return results.map((result): NodeRow | Error | null => {
    if (result.status === 'fulfilled') return result.value;
    return result.reason instanceof Error ? result.reason : new Error(String(result.reason));
  });
}
