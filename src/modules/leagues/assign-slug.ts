import type { RecordOptions } from '../../kernel/declare/fields/options.js';
import { freeSlug, slugOf } from '../../kernel/write/slug-sql.js';

/** Derives the slug of a new row from its title. Later changes to the title do not affect the slug (decision 28). */
export const assignSlug =
  (table: string): NonNullable<RecordOptions['onInsert']> =>
  async ({ title }, context, attempt) => ({ slug: await freeSlug(context, table, (await slugOf(title)) || table, attempt) });
