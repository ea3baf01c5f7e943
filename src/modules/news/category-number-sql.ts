import { readSql } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';

/** Draws whole numbers until one is no category's: a client may have taken a number that is still ahead. */
export async function nextCategoryNumber(sql: Session): Promise<string | null> {
  const next = await sql.row(
    readSql(
      ['category'],
      `select id from (select nextval('category_number')::text as id from generate_series(1, 1000)) next
     where not exists (select from category where category.id = next.id) limit 1`,
      { isVolatile: true },
    ),
    [],
    { id: is.text },
  );
  return next?.id ?? null;
}
