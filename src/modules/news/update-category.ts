import type { Context } from '../../kernel/context.js';
import { fail } from '../../kernel/errors.js';
import { valuesOf } from '../../kernel/input-values.js';
import { metaOf } from '../../kernel/meta.js';
import { update } from '../../kernel/save.js';
import { allColumns } from '../../kernel/select.js';
import type { Row } from '../../kernel/sql.js';
import { Category } from './category.js';

/** A category after an update, and whether the update changed it. */
export interface CategoryChange {
  category: Row;
  isChanged: boolean;
}

/** Changes a category and tells whether anything became different (section 4.4: 304 when not modified). */
export const updateCategory = (context: Context, id: string, input: Row): Promise<CategoryChange> =>
  context.sql.transaction(async () => {
    // Locked, so that of two equal updates at once only the first one counts as a change.
    const found = await context.sql.row('select id from category where id = $1 for update', [id]);
    if (!found) fail('NOT_FOUND', `no category with the id ${id}`);
    const columns = allColumns(Category);
    const before = await context.loaders.one(Category, columns, id);
    const isChanged = Object.entries(valuesOf(metaOf(Category), input)).some(([key, value]) => before?.[key] !== value);
    return { category: isChanged || !before ? await update(context, Category, id, input, columns) : before, isChanged };
  });
