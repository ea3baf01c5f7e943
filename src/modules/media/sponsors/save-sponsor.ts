import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { rowById } from '../../../kernel/read/rows-by-id.js';
import { checkSameId } from '../../../kernel/write/column-values.js';
import { saveEntity } from '../../../kernel/write/entities.js';
import { checkedColumns, nonEmptyString } from '../../../kernel/write/input-values.js';
import { create, update, upsert } from '../../../kernel/write/save.js';
import { initialApproval } from '../approval/approvable.js';
import { sponsorCreator } from '../queue/required-approvals.js';
import { addSavedImage } from '../user-content/saved-images.js';
import { editSponsor } from './edit-sponsor.js';
import { Sponsor } from './sponsor.js';
import { SponsorImage } from './sponsor-image.js';
import { checkSubmission, maxSponsorImages, type SponsorSubmission } from './sponsor-submission.js';
import { Sponsorship } from './sponsorship.js';

/** Returns an image. Its size and color default to those of the request. */
const withDefaults = (image: Values, { size, color }: SponsorSubmission): Values => ({
  ...image,
  size: nonEmptyString(image.size) ?? nonEmptyString(size) ?? image.size,
  color: nonEmptyString(image.color) ?? nonEmptyString(color) ?? image.color,
});

/**
 * Returns the images that a request saves (decision 23). A request without images can still set a size and a color. If there is one stored
 * image, they apply to this image. If there are several images, they apply to those without a size or color. If there is no image, the
 * request creates one.
 */
function imagesOf(submission: SponsorSubmission, url: unknown, storedImages: readonly Values[]): Values[] {
  const submittedImages = (submission.images ?? []).map((image): Values => ({ ...image }));
  if (submittedImages.length) return submittedImages.map((image) => withDefaults(image, submission));
  if (!(nonEmptyString(submission.size) ?? nonEmptyString(submission.color))) return [];
  const [firstImage, ...otherImages] = storedImages;
  if (!firstImage) return [withDefaults({ url }, submission)];
  return otherImages.length
    ? storedImages.map((image) => withDefaults(image, submission))
    : [{ ...firstImage, ...withDefaults({}, submission) }];
}

async function saveImages(
  context: Context,
  sponsorId: string,
  required: number,
  submission: SponsorSubmission,
  url: unknown,
): Promise<void> {
  const { sql } = context;
  const rows = await sql.run(
    sql.db.selectFrom('sponsor_image').select(['id', 'size', 'color']).where('sponsor_id', '=', sponsorId),
  );
  const storedIds = new Set<unknown>(rows.map(({ id }) => id));
  const images = imagesOf(submission, url, rows);
  if (storedIds.size + images.filter(({ id }) => !storedIds.has(id)).length > maxSponsorImages)
    reject('input.images', `at most ${maxSponsorImages} images`);
  for (const image of images) {
    const { id } = image;
    const isStored = typeof id === 'string' && storedIds.has(id);
    const savedImage = isStored
      ? await update(context, SponsorImage, id, image, ['id'], { sponsorId })
      : await create(context, SponsorImage, image, ['id'], { sponsorId, ...initialApproval(required) });
    addSavedImage(context, String(savedImage.id));
  }
}

/** Creates a sponsor with its images. The roles of the creator determine the number of required approvals (section 3). */
export function createSponsor(
  context: Context,
  submission: SponsorSubmission,
  returning: readonly string[],
): Promise<RowOf<Sponsor>> {
  const input: Values = { ...submission };
  return context.sql.transaction(async () => {
    const creator = await sponsorCreator(context, nonEmptyString(input.userId));
    checkSubmission(submission, 'input.');
    const owner = nonEmptyString(input.userId) ? {} : { userId: creator.id };
    const fixedValues = { ...owner, createdById: creator.id, ...initialApproval(creator.required) };
    const sponsor = await create(context, Sponsor, input, [...returning, 'url'], fixedValues);
    await saveImages(context, String(sponsor.id), creator.required, submission, sponsor.url);
    return sponsor;
  });
}

/** Updates a sponsor and its images. New images need the same number of approvals as the sponsor. */
export async function updateSponsor(
  context: Context,
  id: string,
  submission: SponsorSubmission,
  returning: readonly string[],
): Promise<RowOf<Sponsor>> {
  await editSponsor(context, id, async () => {
    const input: Values = { ...submission };
    runChecks(
      () => checkSubmission(submission, 'input.'),
      () => checkSameId(input, id),
    );
    const sponsor = await update(context, Sponsor, id, input, ['url', 'approval.required']);
    await saveImages(context, id, Number(sponsor['approval.required']), submission, sponsor.url);
  });
  return rowById(context, Sponsor, id, returning);
}

/** Start time and primary flag of a sponsorship. Undefined values stay unchanged. */
interface SponsorshipTerms {
  startedAt: string | undefined;
  isPrimary: boolean | undefined;
}

/**
 * Adds a user to a sponsor, or updates the terms of an existing sponsorship. If the sponsor has no owner, the user becomes the owner. The
 * sponsor itself stores the terms of its owner.
 */
export function addSponsor(
  context: Context,
  sponsorId: string,
  userId: string,
  terms: SponsorshipTerms,
  returning: readonly string[],
): Promise<RowOf<Sponsor>> {
  if (userId === '') reject('userId', 'the id of a user');
  return context.sql.transaction(async (em) => {
    const sponsor = await em.findOne(Sponsor, { id: sponsorId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!sponsor) return fail('NOT_FOUND', `no sponsor with the id ${sponsorId}`);
    const isOwner = !sponsor.userId || sponsor.userId === userId;
    if (isOwner) Object.assign(sponsor, checkedColumns(metaOf(Sponsor), { userId, ...terms }));
    else await upsert(context, Sponsorship, {}, ['id'], { sponsorId, userId, ...terms });
    return saveEntity(context, sponsor, returning);
  });
}
