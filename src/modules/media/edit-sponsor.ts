import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import { selectionOf } from '../../kernel/list.js';
import { metaOf, type RecordClass } from '../../kernel/meta.js';
import { optionsOf } from '../../kernel/record.js';
import type { Row } from '../../kernel/sql.js';
import { cancelApprovals } from './cancel-approvals.js';
import { changeApproval } from './change-approval.js';
import { editorsApprovals } from './required-approvals.js';

/** What of a sponsor, or of an image of it, is approved. */
interface Content {
  [column: string]: unknown;
  type: 'SPONSOR' | 'SPONSOR_IMAGE';
  id: string;
  content: string;
}

const contentOf = ({ sql }: Context, sponsorId: string) =>
  sql.rows<Content>(
    `select 'SPONSOR' as type, id, jsonb_build_array(title, url, description)::text as content from sponsor where id = $1
     union all select 'SPONSOR_IMAGE', id, jsonb_build_array(url, size, color)::text from sponsor_image where sponsor_id = $1`,
    [sponsorId],
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
  const changed = after.filter((item) => before.find(isSame(item))?.content !== item.content);
  if (!changed.length && before.length === after.length) return;
  const sponsor = await context.sql.row<{ state: string; userId: string | null }>(
    `select approval_state as state, user_id as "userId" from sponsor where id = $1`,
    [sponsorId],
  );
  const required = await editorsApprovals(context, sponsor?.userId ?? null);
  if (required === 0) return;
  const wasApproved = sponsor?.state === 'APPROVED';
  if (wasApproved) await renew(context, { type: 'SPONSOR', id: sponsorId, content: '' }, required);
  for (const image of changed.filter(({ type }) => type === 'SPONSOR_IMAGE')) {
    const isNew = !before.some(isSame(image));
    const found = await context.sql.row('select from sponsor_image where id = $1 and approval_state = $2', [
      image.id,
      'APPROVED',
    ]);
    if (found || (isNew && wasApproved)) await renew(context, image, required);
  }
}

/** Runs a change of a sponsor or of its images while the sponsor is locked; what they show then may have to be approved anew. */
export function editSponsor<T>(context: Context, sponsorId: string, work: () => Promise<T>): Promise<T> {
  return context.sql.transaction(async () => {
    const found = await context.sql.row('select from sponsor where id = $1 for update', [sponsorId]);
    if (!found) return fail('NOT_FOUND', `no sponsor with the id ${sponsorId}`);
    const before = await contentOf(context, sponsorId);
    const done = await work();
    await reconsider(context, sponsorId, before, await contentOf(context, sponsorId));
    return done;
  });
}

/** A row as it stands after its approval was reconsidered, whether or not the caller sees it in lists. */
export async function rowOf({ sql }: Context, cls: RecordClass, id: unknown, columns: readonly string[]): Promise<Row> {
  const { table, one } = optionsOf(cls);
  const row = await sql.row(`select ${selectionOf(metaOf(cls), columns)} from ${table} r where r.id = $1`, [id]);
  return row ?? fail('NOT_FOUND', `no ${one} with the id ${id}`);
}
