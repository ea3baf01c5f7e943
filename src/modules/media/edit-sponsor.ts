import { sql as raw } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { inNfc } from '../../kernel/declare/nfc.js';
import { cancelApprovals } from './cancel-approvals.js';
import { changeApproval } from './change-approval.js';
import { editorsApprovals } from './required-approvals.js';

/** What of a sponsor, or of an image of it, is approved. */
interface Content {
  type: 'SPONSOR' | 'SPONSOR_IMAGE';
  id: string;
  content: string;
}

const contentOf = ({ sql }: Context, sponsorId: string): Promise<Content[]> =>
  sql.run(
    sql.db
      .selectFrom('sponsor')
      .select((eb) => [
        raw<Content['type']>`'SPONSOR'`.as('type'),
        'id',
        eb.cast<string>(eb.fn('jsonb_build_array', ['title', 'url', 'description']), 'text').as('content'),
      ])
      .where('id', '=', sponsorId)
      .unionAll((db) =>
        db
          .selectFrom('sponsor_image')
          .select((eb) => [
            raw<Content['type']>`'SPONSOR_IMAGE'`.as('type'),
            'id',
            eb.cast<string>(eb.fn('jsonb_build_array', ['url', 'size', 'color']), 'text').as('content'),
          ])
          .where('sponsor_id', '=', sponsorId),
      ),
  );

const isSame = (one: Content) => (other: Content) => one.type === other.type && one.id === other.id;

/** The approvals of an item were given to what it was: they are canceled, and it needs so many anew. */
const renew = (context: Context, { type, id }: Content, required: number) =>
  changeApproval(context, type, id, async () => {
    await cancelApprovals(context, type, id, 'all');
    return { state: 'PENDING', required, given: 0 };
  });

/**
 * Has a sponsor approved anew that was approved and shows something else now, with the images that are others, unless who changed it needs no
 * approval: the roles of the user decide, or of the one for whom a platform acts.
 */
async function reconsider(
  context: Context,
  sponsorId: string,
  before: readonly Content[],
  after: readonly Content[],
): Promise<void> {
  const { sql } = context;
  // What was only typed otherwise shows the same.
  const changed = after.filter((item) => inNfc(before.find(isSame(item))?.content) !== inNfc(item.content));
  if (!changed.length && before.length === after.length) return;
  const sponsor = await sql.first(
    sql.db.selectFrom('sponsor').select(['approval_state as state', 'user_id as userId']).where('id', '=', sponsorId),
  );
  const required = await editorsApprovals(context, sponsor?.userId ?? null);
  if (required === 0) return;
  const wasApproved = sponsor?.state === 'APPROVED';
  if (wasApproved) await renew(context, { type: 'SPONSOR', id: sponsorId, content: '' }, required);
  for (const image of changed.filter(({ type }) => type === 'SPONSOR_IMAGE')) {
    const isNew = !before.some(isSame(image));
    const approved = await sql.first(
      sql.db.selectFrom('sponsor_image').select('id').where('id', '=', image.id).where('approval_state', '=', 'APPROVED'),
    );
    if (approved || (isNew && wasApproved)) await renew(context, image, required);
  }
}

/** Runs a change of a sponsor or of its images while the sponsor is locked; what they show then may have to be approved anew. */
export function editSponsor<T>(context: Context, sponsorId: string, work: () => Promise<T>): Promise<T> {
  const { sql } = context;
  return sql.transaction(async () => {
    const found = await sql.first(sql.db.selectFrom('sponsor').select('id').where('id', '=', sponsorId).forUpdate());
    if (!found) return fail('NOT_FOUND', `no sponsor with the id ${sponsorId}`);
    const before = await contentOf(context, sponsorId);
    const done = await work();
    await reconsider(context, sponsorId, before, await contentOf(context, sponsorId));
    return done;
  });
}
