import type { Context } from '../declare/context.js';
import { toNfc } from '../declare/scalars/nfc.js';
import { readSql } from '../facts.js';
import { is } from '../row-shape.js';

/** Options of a column that the service fills when it creates a row. The default keeps rows unique that are inserted without the service. */
export const serviceSetText = { required: true, default: '(gen_random_uuid())::text' } as const;

/** Maximum length of a slug without a number, in characters. */
const maxLength = 100;

/** Converts a title to a URL slug. Empty if it has no suitable characters. Loads the transliteration table on first use. */
export async function slugOf(title: unknown): Promise<string> {
  const { default: slugify } = await import('@sindresorhus/slugify');
  return slugify(typeof title === 'string' ? toNfc(title).slice(0, 4 * maxLength) : '')
    .slice(0, maxLength)
    .replace(/-+$/, '');
}

/**
 * Returns a slug that no row of the table has: the requested one, or the first free one with a number appended (decision 28). From the third
 * attempt, skips a random and growing number of free slugs, so that concurrent writes do not collide again.
 */
export async function freeSlug({ sql }: Context, table: string, requestedSlug: string, attempt: number): Promise<string> {
  const offset = attempt < 3 ? 0 : Math.floor(Math.random() * 4 ** (attempt - 1));
  const row = await sql.row(
    readSql(
      [table],
      `select slug from (select case n when 1 then $1::text else $1 || '-' || n end as slug from (select generate_series(1, 1000000) as n) numbers) wanted
     where not exists (select from ${table} taken where taken.slug = wanted.slug) limit 1 offset $2`,
    ),
    [requestedSlug, offset],
    { slug: is.text },
  );
  return row?.slug ?? requestedSlug;
}
