import type { Context } from '../../kernel/declare/context.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import type { Row } from '../../kernel/session.js';
import { update, upsert } from '../../kernel/write/save.js';
import { Sponsor } from './sponsor.js';
import { Sponsorship } from './sponsorship.js';

/** Since when a sponsor sponsors a user, and whether it is their main one; what is left out stays. */
export interface Terms {
  startedAt: string | undefined;
  isPrimary: boolean | undefined;
}

/**
 * Adds a user to those of a sponsor, or changes the terms of one who is there. Whose the sponsor is stays; a sponsor that is nobody's
 * becomes the user's, and the terms of that user stand in the sponsor itself.
 */
export function addSponsor(
  context: Context,
  sponsorId: string,
  userId: string,
  terms: Terms,
  returning: readonly string[],
): Promise<Row> {
  if (userId === '') reject('userId', 'the id of a user');
  const { sql } = context;
  return sql.transaction(async () => {
    const sponsor = await sql.first(
      sql.db.selectFrom('sponsor').select('user_id as userId').where('id', '=', sponsorId).forUpdate(),
    );
    if (!sponsor) return fail('NOT_FOUND', `no sponsor with the id ${sponsorId}`);
    const isTheirs = !sponsor.userId || sponsor.userId === userId;
    if (!isTheirs) await upsert(context, Sponsorship, {}, ['id'], { sponsorId, userId, ...terms });
    return update(context, Sponsor, sponsorId, {}, returning, isTheirs ? { userId, ...terms } : {});
  });
}
