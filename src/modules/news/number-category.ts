import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/fields/options.js';
import { nextCategoryNumber } from './category-number-sql.js';

/** Sets the default ID of a new category: the next free number. `/v1` filters news by a numeric `category_id` (section 4.18). */
export async function numberCategory({ id }: Values, { sql }: Context): Promise<Values> {
  if (id !== undefined) return {};
  const next = await nextCategoryNumber(sql);
  return next === null ? {} : { id: next };
}
