import type { Context } from '../declare/context.js';
import { toNfc } from '../declare/scalars/text.js';
import { sqlForReading } from '../facts.js';
import { is } from '../row-shape.js';

/**
 * Options for a unique text column that the service sets when it creates a row. Rows that are inserted without a value get a random value.
 */
export const serviceAssignedTextOptions = { required: true, default: '(gen_random_uuid())::text' } as const;

/** Maximum length of a slug without a number, in characters. */
const maxLength = 100;

/** Converts a title to a URL slug. Empty if the title contains no suitable characters. Loads the transliteration table on first use. */
export async function slugOf(title: unknown): Promise<string> {
  const { default: slugify } = await import('@sindresorhus/slugify');
  return slugify(typeof title === 'string' ? toNfc(title).slice(0, 4 * maxLength) : '')
    .slice(0, maxLength)
    .replace(/-+$/, '');
}

/**
 * Returns a slug that is free in the table: the requested one, with the lowest free number appended if necessary (decision 28). From the
 * third attempt on, skips a random number of free slugs, so that concurrent writes do not collide again.
 */
export async function freeSlug({ sql }: Context, table: string, requestedSlug: string, attempt: number): Promise<string> {
  const offset = attempt < 3 ? 0 : Math.floor(Math.random() * 4 ** (attempt - 1));
  const row = await sql.row(
    sqlForReading(
      [table],
      `select slug from (select case n when 1 then $1::text else $1 || '-' || n end as slug from (select generate_series(1, 1000000) as n) numbers) candidate
     where not exists (select from ${table} r where r.slug = candidate.slug) limit 1 offset $2`,
    ),
    [requestedSlug, offset],
    { slug: is.text },
  );
  return row?.slug ?? requestedSlug;
}
