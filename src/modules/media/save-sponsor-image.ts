import type { Context } from '../../kernel/declare/context.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import { metaOf } from '../../kernel/declare/meta.js';
import type { Values } from '../../kernel/declare/options.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { rowOf } from '../../kernel/read/rows-by-id.js';
import { valuesOf } from '../../kernel/write/input-values.js';
import { create, update } from '../../kernel/write/save.js';
import { startingWith } from './approvable.js';
import { deleteItem } from './delete-item.js';
import { editSponsor } from './edit-sponsor.js';
import { SponsorImage } from './sponsor-image.js';
import { mostImages } from './sponsor-submission.js';

const idOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Runs a change of an image as one of its sponsor, and where the image moves of both sponsors; they are locked one after the other by their ids. */
async function editImage<T>(context: Context, id: string, moved: readonly (string | null)[], work: () => Promise<T>): Promise<T> {
  const { sql } = context;
  const image = await sql.first(sql.db.selectFrom('sponsor_image').select('sponsor_id as sponsorId').where('id', '=', id));
  if (!image) return fail('NOT_FOUND', `no sponsorImage with the id ${id}`);
  const sponsors = [...new Set([image.sponsorId, ...moved])].filter((sponsor) => sponsor !== null).toSorted();
  return sponsors.reduceRight((inner, sponsor) => () => editSponsor(context, sponsor, inner), work)();
}

/** Adds an image to a sponsor, whose rule it follows. */
export async function createSponsorImage(
  context: Context,
  input: Values,
  returning: readonly string[],
): Promise<RowOf<SponsorImage>> {
  const sponsorId = String(valuesOf(metaOf(SponsorImage), input, 'input.', 'create').sponsorId);
  const { id } = await editSponsor(context, sponsorId, async ({ approval }) => {
    const images = await context.sql.em.count(SponsorImage, { sponsorId });
    if (images >= mostImages) reject('input.sponsorId', `a sponsor with fewer than ${mostImages} images`);
    return create(context, SponsorImage, input, ['id'], startingWith(approval.required));
  });
  return rowOf(context, SponsorImage, String(id), returning);
}

/** Changes an image; another picture has to be approved anew, and so has the sponsor. */
export async function updateSponsorImage(
  context: Context,
  id: string,
  input: Values,
  returning: readonly string[],
): Promise<RowOf<SponsorImage>> {
  await editImage(context, id, [idOf(input.sponsorId)], () => update(context, SponsorImage, id, input, ['id']));
  return rowOf(context, SponsorImage, id, returning);
}

/** Deletes an image with its approvals and comments. */
export const deleteSponsorImage = (context: Context, id: string, returning: readonly string[]): Promise<RowOf<SponsorImage>> =>
  editImage(context, id, [], () => deleteItem(context, SponsorImage, id, returning));
