import type { Context } from '../../kernel/declare/context.js';
import type { Row } from '../../kernel/session.js';
import { remove } from '../../kernel/write/save.js';
import type { ApprovalItemType } from './approval-state.js';
import { itemTypes } from './item-types.js';

/** Deletes an item with its approvals and comments. */
export function deleteItem(context: Context, type: ApprovalItemType, id: string, returning: readonly string[]): Promise<Row> {
  const { sql } = context;
  return sql.transaction(async () => {
    const item = await remove(context, itemTypes[type].record, id, returning);
    await sql.run(sql.db.deleteFrom('approval').where('item_type', '=', type).where('item_id', '=', id));
    await sql.run(sql.db.deleteFrom('approval_comment').where('item_id', '=', id));
    return item;
  });
}

/** Deletes a sponsor with its images and its ties to further users. */
export function deleteSponsor(context: Context, id: string, returning: readonly string[]): Promise<Row> {
  const { sql } = context;
  return sql.transaction(async () => {
    const sponsor = await deleteItem(context, 'SPONSOR', id, returning);
    const images = await sql.run(sql.db.selectFrom('sponsor_image').select('id').where('sponsor_id', '=', id));
    for (const image of images) await deleteItem(context, 'SPONSOR_IMAGE', image.id, ['id']);
    await sql.run(sql.db.deleteFrom('sponsorship').where('sponsor_id', '=', id));
    return sponsor;
  });
}
