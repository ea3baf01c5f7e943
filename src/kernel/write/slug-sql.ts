import type { Context } from '../declare/context.js';
import { inNfc } from '../declare/nfc.js';
import { readSql } from '../facts.js';
import { is } from '../row-shape.js';

/** Of a column that the creation of a row fills: what comes past the service is unique all the same. */
export const assigned = { required: true, default: '(gen_random_uuid())::text' } as const;

/** Most letters that a slug takes from a title. */
const longest = 100;

/** A title as a part of an address; empty where none of its signs can stand in one. Its table of letters is loaded for the first title. */
export async function slugOf(title: unknown): Promise<string> {
  const { default: slugify } = await import('@sindresorhus/slugify');
  return slugify(typeof title === 'string' ? inNfc(title).slice(0, 4 * longest) : '')
    .slice(0, longest)
    .replace(/-+$/, '');
}

/**
 * A slug that no row of the table has: the wanted one, or the first free one with a number behind (decision 28).
 * One of two that are made at the same moment takes the next number; later attempts skip more and more at random, so that many don't meet again.
 */
export async function freeSlug({ sql }: Context, table: string, wanted: string, attempt: number): Promise<string> {
  const skipped = attempt < 3 ? 0 : Math.floor(Math.random() * 4 ** (attempt - 1));
  const row = await sql.row(
    readSql(
      [table],
      `select slug from (select case n when 1 then $1::text else $1 || '-' || n end as slug from (select generate_series(1, 1000000) as n) numbers) wanted
     where not exists (select from ${table} taken where taken.slug = wanted.slug) limit 1 offset $2`,
    ),
    [wanted, skipped],
    { slug: is.text },
  );
  return row?.slug ?? wanted;
}
