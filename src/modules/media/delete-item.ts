import type { Context } from '../../kernel/context.js';
import { remove } from '../../kernel/save.js';
import type { Row } from '../../kernel/sql.js';
import type { ApprovalItemType } from './approval-state.js';
import { itemTypes } from './item-types.js';

/** Deletes an item with its approvals and comments. */
export function deleteItem(context: Context, type: ApprovalItemType, id: string, returning: readonly string[]): Promise<Row> {
  return context.sql.transaction(async () => {
    const item = await remove(context, itemTypes[type].record, id, returning);
    await context.sql.rows('delete from approval where item_type = $1 and item_id = $2', [type, id]);
    await context.sql.rows('delete from approval_comment where item_id = $1', [id]);
    return item;
  });
}

/** Deletes a sponsor with its images and its ties to further users. */
export function deleteSponsor(context: Context, id: string, returning: readonly string[]): Promise<Row> {
  return context.sql.transaction(async () => {
    const sponsor = await deleteItem(context, 'SPONSOR', id, returning);
    const images = await context.sql.rows<{ id: string }>('select id from sponsor_image where sponsor_id = $1', [id]);
    for (const image of images) await deleteItem(context, 'SPONSOR_IMAGE', image.id, ['id']);
    await context.sql.rows('delete from sponsorship where sponsor_id = $1', [id]);
    return sponsor;
  });
}
