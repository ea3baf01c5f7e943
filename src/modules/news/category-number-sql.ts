import { readSql } from '../../kernel/facts.js';
import { is } from '../../kernel/row-shape.js';
import type { Session } from '../../kernel/session.js';

/** Returns the next free number for a category ID, because clients can also choose IDs. Null if the next 1,000 numbers are in use. */
export async function nextCategoryNumber(sql: Session): Promise<string | null> {
  const next = await sql.row(
    readSql(
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
