import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { inNfc } from '../../kernel/declare/nfc.js';
import { cancelApprovals } from './cancel-approvals.js';
import { changeApproval } from './change-approval.js';
import { editorsApprovals } from './required-approvals.js';
import { Sponsor } from './sponsor.js';
import { SponsorImage } from './sponsor-image.js';

/** A sponsor, or an image of it, with what of it was approved at one moment. */
interface Shown {
  type: 'SPONSOR' | 'SPONSOR_IMAGE';
  item: Sponsor | SponsorImage;
  content: string;
}

const shownBy = (sponsor: Sponsor): Shown => ({
  type: 'SPONSOR',
  item: sponsor,
  content: JSON.stringify([sponsor.title, sponsor.url, sponsor.description]),
});

const shownIn = (image: SponsorImage): Shown => ({
  type: 'SPONSOR_IMAGE',
  item: image,
  content: JSON.stringify([image.url, image.size, image.color]),
});

/** Reads a sponsor and its images anew, because inputs are saved by statements. */
async function contentOf({ sql: { em } }: Context, sponsor: Sponsor): Promise<Shown[]> {
  await em.refresh(sponsor);
  const images = await em.find(SponsorImage, { sponsorId: sponsor.id }, { refresh: true, orderBy: { id: 'asc' } });
  return [shownBy(sponsor), ...images.map(shownIn)];
}

const isSame = (one: Shown) => (other: Shown) => one.type === other.type && one.item.id === other.item.id;

const isApproved = ({ approval }: Sponsor | SponsorImage): boolean => approval.state === 'APPROVED';

/** The approvals of an item were given to what it was: they are canceled, and it needs so many anew. */
const renew = (context: Context, { type, item: { id } }: Shown, required: number) =>
  changeApproval(context, type, id, async () => {
    await cancelApprovals(context, type, id, 'all');
    return { state: 'PENDING', required, given: 0 };
  });

/**
 * Has a sponsor approved anew that was approved and shows something else now, with the images that are others, unless who changed it needs no
 * approval: the roles of the user decide, or of the one for whom a platform acts.
 */
async function reconsider(context: Context, sponsor: Sponsor, before: readonly Shown[], after: readonly Shown[]): Promise<void> {
  // What was only typed otherwise shows the same.
  const changed = after.filter((item) => inNfc(before.find(isSame(item))?.content) !== inNfc(item.content));
  if (!changed.length && before.length === after.length) return;
  const required = await editorsApprovals(context, sponsor.userId);
  if (required === 0) return;
  const wasApproved = isApproved(sponsor);
  const others = changed.filter(({ item }) => item !== sponsor);
  const lost = others.filter((image) => isApproved(image.item) || (wasApproved && !before.some(isSame(image))));
  for (const item of wasApproved ? [shownBy(sponsor), ...lost] : lost) await renew(context, item, required);
}

/** Runs a change of a sponsor or of its images while the sponsor is locked; what they show then may have to be approved anew. */
export function editSponsor<T>(context: Context, sponsorId: string, work: (sponsor: Sponsor) => Promise<T>): Promise<T> {
  return context.sql.transaction(async (em) => {
    const sponsor = await em.findOne(Sponsor, { id: sponsorId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!sponsor) return fail('NOT_FOUND', `no sponsor with the id ${sponsorId}`);
    const before = await contentOf(context, sponsor);
    const done = await work(sponsor);
    await reconsider(context, sponsor, before, await contentOf(context, sponsor));
    return done;
  });
}
