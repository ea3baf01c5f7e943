import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../declare/context.js';
import type { RecordClass } from '../declare/meta.js';
import { guard } from '../declare/policy.js';
import { optionsOf } from '../declare/record.js';
import { idArray, idArrayJoin } from '../read/id-array-join.js';
import type { ListArgs } from '../read/list.js';
import { checkOwnedList } from '../read/owned-lists.js';
import { withoutRows } from '../read/page-args.js';
import { listSelectionOf } from '../read/select.js';
import { type RecordConnection, resolveConnection } from './connection.js';

/** Connection of the records with the given IDs, by default in the order of the IDs. `name` identifies the list in cursors. */
export async function connectNamed(
  cls: RecordClass,
  name: string,
  ids: readonly string[],
  args: ListArgs,
  { caller, loaders }: Context,
  info: GraphQLResolveInfo,
): Promise<RecordConnection> {
  guard(optionsOf(cls).read, caller);
  const by = idArrayJoin(name);
  const list = idArray(ids);
  const wanted = listSelectionOf(cls, info);
  const page = await loaders.many(cls, by, list, wanted.rows ? args : withoutRows(args), wanted);
  await checkOwnedList(loaders, cls, args);
  return resolveConnection(page, loaders, cls, args, by, list);
}
