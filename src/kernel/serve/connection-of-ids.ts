import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../declare/context.js';
import type { RecordClass } from '../declare/meta.js';
import { guard } from '../declare/policy/policy.js';
import { optionsOf } from '../declare/record.js';
import type { ListArgs } from '../read/list.js';
import { withoutRows } from '../read/paging/page-args.js';
import { idArray, idArrayJoin } from '../read/relations/id-array-join.js';
import { checkOwnedList } from '../read/relations/owned-lists.js';
import { listSelectionOf } from '../read/select.js';
import { type RecordConnection, resolveConnection } from './connection.js';

/** Returns the connection of the records with some IDs, by default in the order of the IDs. `name` identifies the list in cursors. */
export async function connectionOfIds(
  cls: RecordClass,
  name: string,
  ids: readonly string[],
  args: ListArgs,
  { caller, loaders }: Context,
  info: GraphQLResolveInfo,
): Promise<RecordConnection> {
  guard(optionsOf(cls).read, caller);
  const join = idArrayJoin(name);
  const list = idArray(ids);
  const selection = listSelectionOf(cls, info);
  const page = await loaders.loadPage(cls, join, list, selection.rows ? args : withoutRows(args), selection);
  await checkOwnedList(loaders, cls, args);
  return resolveConnection(page, loaders, cls, args, join, list);
}
