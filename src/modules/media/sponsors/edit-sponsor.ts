import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { toNfc } from '../../../kernel/declare/scalars/text.js';
import { cancelApprovals, changeApproval } from '../approval/change-approval.js';
import { requiredApprovalsForEdit } from '../queue/required-approvals.js';
import { Sponsor } from './sponsor.js';
import { SponsorImage } from './sponsor-image.js';

/** Sponsor or sponsor image, with its content as JSON. If the content changes, the item needs new approvals. */
interface ApprovedContent {
  type: 'SPONSOR' | 'SPONSOR_IMAGE';
  item: Sponsor | SponsorImage;
  content: string;
}

const sponsorContent = (sponsor: Sponsor): ApprovedContent => ({
  type: 'SPONSOR',
  item: sponsor,
  content: JSON.stringify([sponsor.title, sponsor.url, sponsor.description]),
});

const imageContent = (image: SponsorImage): ApprovedContent => ({
  type: 'SPONSOR_IMAGE',
  item: image,
  content: JSON.stringify([image.url, image.size, image.color]),
});

/**
 * Reads the current content of a sponsor and its images. Refreshes the entities, because writes run as SQL statements that do not update
 * entities.
 */
async function contentOf({ sql: { em } }: Context, sponsor: Sponsor): Promise<ApprovedContent[]> {
  await em.refresh(sponsor);
  const images = await em.find(SponsorImage, { sponsorId: sponsor.id }, { refresh: true, orderBy: { id: 'asc' } });
  return [sponsorContent(sponsor), ...images.map(imageContent)];
}

const isSameItem = (content: ApprovedContent) => (other: ApprovedContent) =>
  content.type === other.type && content.item.id === other.item.id;

const isApproved = ({ approval }: Sponsor | SponsorImage): boolean => approval.state === 'APPROVED';

/** Cancels all approvals of an item and makes it pending with `required` approvals. */
const requireApprovals = (context: Context, { type, item: { id } }: ApprovedContent, required: number) =>
  changeApproval(context, type, id, async () => {
    await cancelApprovals(context, type, id, 'all');
    return { state: 'PENDING', required, given: 0 };
  });

/**
 * Makes an approved sponsor and its changed images pending again if their content has changed, or if an image was added or deleted. Does
 * nothing if the editor needs no approvals. The editor is the calling user, or the owner if a platform sends no user token.
 */
async function requireNewApprovals(
  context: Context,
  sponsor: Sponsor,
  itemsBefore: readonly ApprovedContent[],
  itemsAfter: readonly ApprovedContent[],
): Promise<void> {
  // Texts that differ only in Unicode normalization count as equal.
  const changedItems = itemsAfter.filter((item) => toNfc(itemsBefore.find(isSameItem(item))?.content) !== toNfc(item.content));
  if (!changedItems.length && itemsBefore.length === itemsAfter.length) return;
  const required = await requiredApprovalsForEdit(context, sponsor.userId);
  if (required === 0) return;
  const wasApproved = isApproved(sponsor);
  const changedImages = changedItems.filter(({ item }) => item !== sponsor);
  const affectedImages = changedImages.filter(
    (image) => isApproved(image.item) || (wasApproved && !itemsBefore.some(isSameItem(image))),
  );
  for (const item of wasApproved ? [sponsorContent(sponsor), ...affectedImages] : affectedImages)
    await requireApprovals(context, item, required);
}

/** Locks a sponsor and runs a change to it or its images. Requires new approvals if the content changes. */
export function editSponsor<T>(context: Context, sponsorId: string, change: (sponsor: Sponsor) => Promise<T>): Promise<T> {
  return context.sql.transaction(async (em) => {
    const sponsor = await em.findOne(Sponsor, { id: sponsorId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!sponsor) return fail('NOT_FOUND', `no sponsor with the id ${sponsorId}`);
    const itemsBefore = await contentOf(context, sponsor);
    const result = await change(sponsor);
    await requireNewApprovals(context, sponsor, itemsBefore, await contentOf(context, sponsor));
    return result;
  });
}
