import type { RecordOptions } from '../../kernel/declare/options.js';
import { freeSlug, slugOf } from '../../kernel/write/slug-sql.js';

/** The slug of a new row, made from its title; later changes of the title leave it alone (decision 28). */
export const assignSlug =
  (table: string): NonNullable<RecordOptions['onInsert']> =>
  async ({ title }, context, attempt) => ({ slug: await freeSlug(context, table, (await slugOf(title)) || table, attempt) });
