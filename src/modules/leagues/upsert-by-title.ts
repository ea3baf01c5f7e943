import type { Context } from '../../kernel/context.js';
import type { RecordClass } from '../../kernel/meta.js';
import { inNfc } from '../../kernel/nfc.js';
import { optionsOf } from '../../kernel/record.js';
import { create, update, upsert } from '../../kernel/save.js';
import type { Row } from '../../kernel/sql.js';

/** Creates or changes the record with the id given, or else the one with the same title, to the letter in NFC (decision 30). */
export const upsertByTitle = (context: Context, cls: RecordClass, input: Row, returning: readonly string[]): Promise<Row> =>
  context.sql.transaction(async () => {
    const { table } = optionsOf(cls);
    // One at a time: no unique key could do, because platforms that send ids may use one title twice.
    await context.sql.rows('select pg_advisory_xact_lock(hashtext($1))', [table]);
    if (input.id) return upsert(context, cls, input, returning);
    const known = input.title
      ? await context.sql.row<{ id: string }>(`select id from ${table} where nfc(title) = $1 order by created_at, id limit 1`, [
          inNfc(input.title),
        ])
      : null;
    return known ? update(context, cls, known.id, input, returning) : create(context, cls, input, returning);
  });
