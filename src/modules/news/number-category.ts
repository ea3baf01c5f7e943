import type { Context } from '../../kernel/context.js';
import type { Values } from '../../kernel/record.js';

/** The id of a new category: the next whole number, because news are listed by number (`category_id`, section 4.18). */
export async function numberCategory({ id }: Values, { sql }: Context): Promise<Values> {
  if (id !== undefined) return {};
  // A client may have taken a number that is still ahead.
  const next = await sql.row<{ id: string }>(
    `select id from (select nextval('category_number')::text as id from generate_series(1, 1000)) next
     where not exists (select from category where category.id = next.id) limit 1`,
  );
  return next ?? {};
}
