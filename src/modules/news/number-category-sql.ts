import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/fields/options.js';
import { sqlForReading } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';

/**
 * Returns the next free number for a category ID. Skips used numbers, because clients can also choose IDs. Null if the next 1,000 numbers
 * are in use.
 */
export async function nextCategoryNumber(sql: Session): Promise<string | null> {
  const next = await sql.row(
    sqlForReading(
      ['category'],
      `select id from (select nextval('category_number')::text as id from generate_series(1, 1000)) next
     where not exists (select from category where category.id = next.id) limit 1`,
      { otherDependency: 'nextval' },
    ),
    [],
    { id: is.text },
  );
  return next?.id ?? null;
}

/** Sets the default ID of a new category: the next free number. `/v1` filters news by a numeric `category_id` (section 4.18). */
export async function assignCategoryId({ id }: Values, { sql }: Context): Promise<Values> {
  if (id !== undefined) return {};
  const next = await nextCategoryNumber(sql);
  return next === null ? {} : { id: next };
}
