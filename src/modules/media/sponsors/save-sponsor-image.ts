import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { rowById } from '../../../kernel/read/rows-by-id.js';
import { nonEmptyString, valuesOf } from '../../../kernel/write/input-values.js';
import { create, update } from '../../../kernel/write/save.js';
import { initialApproval } from '../approval/approvable.js';
import { deleteItem } from '../queue/delete-item.js';
import { editSponsor } from './edit-sponsor.js';
import { SponsorImage } from './sponsor-image.js';
import { maxSponsorImages } from './sponsor-submission.js';

/** Runs a change to an image as an edit of both its current and its new sponsor. Locks the sponsors in the order of their IDs. */
async function editImage<T>(
  context: Context,
  id: string,
  newSponsorIds: readonly (string | null)[],
  change: () => Promise<T>,
): Promise<T> {
  const { sql } = context;
  const image = await sql.first(sql.db.selectFrom('sponsor_image').select('sponsor_id as sponsorId').where('id', '=', id));
  if (!image) return fail('NOT_FOUND', `no sponsorImage with the id ${id}`);
  const sponsorIds = [...new Set([image.sponsorId, ...newSponsorIds])].filter((sponsorId) => sponsorId !== null).toSorted();
  return sponsorIds.reduceRight((inner, sponsorId) => () => editSponsor(context, sponsorId, inner), change)();
}

/** Adds an image to a sponsor. The image needs the same number of approvals as the sponsor. */
export async function createSponsorImage(
  context: Context,
  input: Values,
  returning: readonly string[],
): Promise<RowOf<SponsorImage>> {
  const sponsorId = String(valuesOf(metaOf(SponsorImage), input, 'input.', 'create').sponsorId);
  const { id } = await editSponsor(context, sponsorId, async ({ approval }) => {
    const images = await context.sql.em.count(SponsorImage, { sponsorId });
    if (images >= maxSponsorImages) reject('input.sponsorId', `a sponsor with fewer than ${maxSponsorImages} images`);
    return create(context, SponsorImage, input, ['id'], initialApproval(approval.required));
  });
  return rowById(context, SponsorImage, String(id), returning);
}

/** Updates an image. After a change to its content, the image and its sponsor need new approvals. */
export async function updateSponsorImage(
  context: Context,
  id: string,
  input: Values,
  returning: readonly string[],
): Promise<RowOf<SponsorImage>> {
  await editImage(context, id, [nonEmptyString(input.sponsorId)], () => update(context, SponsorImage, id, input, ['id']));
  return rowById(context, SponsorImage, id, returning);
}

/** Deletes an image with its approvals and comments. */
export const deleteSponsorImage = (context: Context, id: string, returning: readonly string[]): Promise<RowOf<SponsorImage>> =>
  editImage(context, id, [], () => deleteItem(context, SponsorImage, id, returning));
