import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { saveEntity } from '../../../kernel/write/entities.js';
import { checkedColumns } from '../../../kernel/write/input-values.js';
import { upsert } from '../../../kernel/write/save.js';
import { Sponsor } from './sponsor.js';
import { Sponsorship } from './sponsorship.js';

/** Start time and primary flag of a sponsorship. Undefined values stay unchanged. */
interface SponsorshipTerms {
  startedAt: string | undefined;
  isPrimary: boolean | undefined;
}

/**
 * Adds a user to a sponsor, or updates the terms of an existing sponsorship. If the sponsor has no owner, the user becomes the owner. The terms of
 * the owner are stored in the sponsor itself.
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
