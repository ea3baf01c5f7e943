import { z } from 'zod';
import type { Context } from '../../../kernel/declare/context.js';
import { reject } from '../../../kernel/declare/errors.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { listHash } from '../../../kernel/read/paging/cursor.js';
import { type PageArgs, pageInfoOf, parsePageArgs } from '../../../kernel/read/paging/page-args.js';
import type { ConnectionSource } from '../../../kernel/serve/connection.js';
import { type ApprovalQueueQuery, countQueue, type QueueCursor, readQueue } from '../approval/approval-queue-sql.js';
import { ApprovalItemType } from '../approval/approval-status.js';
import { itemTypes } from './item-types.js';
import { type ItemFilter, maxQueueOrders, type QueueOrder } from './queue-arguments.js';

const typeNames: Readonly<Record<ApprovalItemType, string>> = {
  SPONSOR: itemTypes.SPONSOR.record.name,
  SPONSOR_IMAGE: itemTypes.SPONSOR_IMAGE.record.name,
  USER_IMAGE: itemTypes.USER_IMAGE.record.name,
  BIOGRAPHY: itemTypes.BIOGRAPHY.record.name,
};

const cursorShape = z.tuple([
  z.string(),
  z.iso.datetime({ offset: true }).nullable(),
  z.int().min(0).max(Object.keys(ApprovalItemType).length),
  z.string(),
  z.string(),
  z.string().optional(),
]);

const encodeCursor = (listKey: string, position: QueueCursor): string =>
  Buffer.from(JSON.stringify([listKey, ...position])).toString('base64url');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readCursor(listKey: string, end: 'after' | 'before', cursor: string): QueueCursor {
  const result = cursorShape.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  const [cursorKey, createdAt, type, owner, id, ownerName] = result.data ?? [null, null, 0, '', ''];
  return cursorKey === listKey && !`${owner}${id}${ownerName ?? ''}`.includes('\0')
    ? [createdAt, type, owner, id, ownerName]
    : reject(end, 'a cursor of this list');
}

/** Filter and order of the approval queue. */
interface QueueArgs {
  readonly filter: ItemFilter | null;
  readonly orderBy: readonly QueueOrder[] | null;
}

/** Returns a page of items, oldest first by default. */
export async function approvalItems(
  { sql }: Context,
  { filter, orderBy }: QueueArgs,
  args: PageArgs,
  scope: ApprovalQueueQuery['scope'],
): Promise<ConnectionSource> {
  const queue = { scope, filter, orderBy: orderBy ?? [] };
  const listKey = listHash(
    `approval items ${typeof scope === 'string' ? scope : 'approver'} ${JSON.stringify([filter, orderBy])}`,
  );
  const cursorOfArg = (end: 'after' | 'before') => (args[end] ? readCursor(listKey, end, args[end]) : null);
  const [range, after, before] = runChecks(
    () => parsePageArgs(args),
    () => cursorOfArg('after'),
    () => cursorOfArg('before'),
    () => queue.orderBy.length <= maxQueueOrders || reject('orderBy', `at most ${maxQueueOrders} fields`),
  );
  const items = await readQueue(sql, queue, typeNames, { ...range, size: range.size + 1, after, before });
  const rows = items.slice(0, range.size);
  return {
    page: {
      rows: range.isBackward ? rows.reverse() : rows,
      ...pageInfoOf(range, args, items.length > range.size),
      cursor({ created_at: createdAt, type, owner, id, owner_name: ownerName }) {
        const position = [createdAt === null ? null : String(createdAt), Number(type), String(owner), String(id)] as const;
        return encodeCursor(listKey, ownerName ? [...position, String(ownerName)] : position);
      },
    },
    total: () => countQueue(sql, queue, typeNames),
  };
}
