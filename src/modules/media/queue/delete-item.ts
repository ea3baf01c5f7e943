import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { RecordClass } from '../../../kernel/declare/meta.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { deleteDependents } from '../../../kernel/write/dependents-sql.js';
import { removeEntity } from '../../../kernel/write/entities.js';
import type { IdsDeletedWithItem, IdsDeletedWithSponsor } from '../deleted-ids.js';
import { Sponsor } from '../sponsors/sponsor.js';
import { SponsorImage } from '../sponsors/sponsor-image.js';

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/** Deletes a locked item with its approvals and comments. Returns the item and the IDs of the deleted records. */
export async function removeItem<T extends { id: string }>(
  context: Context,
  record: RecordClass<T>,
  item: T,
  returning: readonly string[],
): Promise<RowOf<T> & IdsDeletedWithItem> {
  const dependents = await deleteDependents(context.sql, record, [item.id]);
  const row = await removeEntity(context, item, returning);
  return {
    ...row,
    deletedApprovalIds: dependents.get('Approval') ?? [],
    deletedApprovalCommentIds: dependents.get('ApprovalComment') ?? [],
  };
}

/** Locks an item and deletes it with `removeItem`. Throws NOT_FOUND for an unknown ID. */
export function deleteItem<T extends { id: string }>(
  context: Context,
  record: RecordClass<T>,
  id: string,
  returning: readonly string[],
): Promise<RowOf<T> & IdsDeletedWithItem> {
  return context.sql.transaction(async (em) => {
    const item = await em.findOne<{ id: string }>(record, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    return item instanceof record
      ? removeItem(context, record, item, returning)
      : fail('NOT_FOUND', `no ${optionsOf(record).one} with the id ${id}`);
  });
}

/** Deletes a sponsor with its images, sponsorships, approvals and comments. Returns the sponsor and the IDs of the deleted records. */
export function deleteSponsor(
  context: Context,
  id: string,
  returning: readonly string[],
): Promise<RowOf<Sponsor> & IdsDeletedWithSponsor> {
  const { sql } = context;
  return sql.transaction(async (em) => {
    const sponsor = await em.findOne(Sponsor, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!sponsor) return fail('NOT_FOUND', `no sponsor with the id ${id}`);
    const images = await em.find(
      SponsorImage,
      { sponsorId: id },
      { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
    );
    const deletedWithImages: IdsDeletedWithItem[] = [];
    for (const image of images) deletedWithImages.push(await removeItem(context, SponsorImage, image, []));
    const sponsorships = await sql.run(sql.db.deleteFrom('sponsorship').where('sponsor_id', '=', id).returning('id'));
    const row = await removeItem(context, Sponsor, sponsor, returning);
    const deletedItems = [row, ...deletedWithImages];
    return {
      ...row,
      deletedApprovalIds: deletedItems.flatMap(({ deletedApprovalIds }) => deletedApprovalIds),
      deletedApprovalCommentIds: deletedItems.flatMap(({ deletedApprovalCommentIds }) => deletedApprovalCommentIds),
      deletedSponsorImageIds: idsOf(images),
      deletedSponsorshipIds: idsOf(sponsorships),
    };
  });
}
