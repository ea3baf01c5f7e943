import type { Context } from '../../kernel/declare/context.js';
import { reject } from '../../kernel/declare/errors.js';
import type { Values } from '../../kernel/declare/options.js';
import { allOf } from '../../kernel/declare/problems.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { rowOf } from '../../kernel/read/rows-by-id.js';
import { checkSameId } from '../../kernel/write/given-values.js';
import { create, update } from '../../kernel/write/save.js';
import { startingWith } from './approvable.js';
import { editSponsor } from './edit-sponsor.js';
import { sponsorMaker } from './required-approvals.js';
import { noteSaved } from './saved-images.js';
import { Sponsor } from './sponsor.js';
import { SponsorImage } from './sponsor-image.js';
import { checkSubmission, mostImages, type SponsorSubmission } from './sponsor-submission.js';

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** An image with the size and the color of the request where it states none. */
const filled = (image: Values, { size, color }: SponsorSubmission): Values => ({
  ...image,
  size: text(image.size) ?? text(size) ?? image.size,
  color: text(image.color) ?? text(color) ?? image.color,
});

/**
 * The images that a request writes (decision 23). One that carries none may still say a size and a color: the sponsor's only image takes
 * them, several take them where they state none, and where there is none one is made of them.
 */
function imagesOf(submission: SponsorSubmission, url: unknown, there: readonly Values[]): Values[] {
  const given = (submission.images ?? []).map((image): Values => ({ ...image }));
  if (given.length) return given.map((image) => filled(image, submission));
  if (!(text(submission.size) ?? text(submission.color))) return [];
  const [only, ...others] = there;
  if (!only) return [filled({ url }, submission)];
  return others.length ? there.map((image) => filled(image, submission)) : [{ ...only, ...filled({}, submission) }];
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
  const there = new Set<unknown>(rows.map(({ id }) => id));
  const images = imagesOf(submission, url, rows);
  if (there.size + images.filter(({ id }) => !there.has(id)).length > mostImages)
    reject('input.images', `at most ${mostImages} images`);
  for (const image of images) {
    const { id } = image;
    const isThere = typeof id === 'string' && there.has(id);
    const saved = isThere
      ? await update(context, SponsorImage, id, image, ['id'], { sponsorId })
      : await create(context, SponsorImage, image, ['id'], { sponsorId, ...startingWith(required) });
    noteSaved(context, String(saved.id));
  }
}

/** Makes a sponsor with its images; its maker's roles tell how many approvals they need (section 3). */
export function createSponsor(
  context: Context,
  submission: SponsorSubmission,
  returning: readonly string[],
): Promise<RowOf<Sponsor>> {
  const input: Values = { ...submission };
  return context.sql.transaction(async () => {
    const maker = await sponsorMaker(context, text(input.userId));
    checkSubmission(submission, 'input.');
    const owner = text(input.userId) ? {} : { userId: maker.id };
    const set = { ...owner, createdById: maker.id, ...startingWith(maker.required) };
    const sponsor = await create(context, Sponsor, input, [...returning, 'url'], set);
    await saveImages(context, String(sponsor.id), maker.required, submission, sponsor.url);
    return sponsor;
  });
}

/** Changes a sponsor and its images; new images follow the sponsor's rule. */
export async function updateSponsor(
  context: Context,
  id: string,
  submission: SponsorSubmission,
  returning: readonly string[],
): Promise<RowOf<Sponsor>> {
  await editSponsor(context, id, async () => {
    const input: Values = { ...submission };
    allOf(
      () => checkSubmission(submission, 'input.'),
      () => checkSameId(input, id),
    );
    const sponsor = await update(context, Sponsor, id, input, ['url', 'approval.required']);
    await saveImages(context, id, Number(sponsor['approval.required']), submission, sponsor.url);
  });
  return rowOf(context, Sponsor, id, returning);
}
