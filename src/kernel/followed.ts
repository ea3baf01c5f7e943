import type { Context } from './context.js';
import { selectionOf } from './list.js';
import { metaOf, type RecordClass } from './meta.js';
import { optionsOf, type Values } from './record.js';

/** Runs a write of a row; when it changes what the record's followers watch, they follow in the same transaction. */
export function followed<T>(context: Context, cls: RecordClass, id: unknown, values: Values, work: () => Promise<T>): Promise<T> {
  const { onChange = [], table } = optionsOf(cls);
  const followers = [onChange].flat().filter(({ of }) => of.some((key) => values[key] !== undefined));
  if (followers.length === 0 || id === undefined) return work();
  const columns = new Set(['id', ...followers.flatMap(({ of }) => of)]);
  const text = `select ${selectionOf(metaOf(cls), [...columns])} from ${table} r where r.id = $1`;
  return context.sql.transaction(async () => {
    const before = await context.sql.row(`${text} for update`, [id]);
    const row = await work();
    const after = before && (await context.sql.row(text, [id]));
    if (!after) return row;
    for (const { of, follow } of followers)
      if (of.some((key) => before[key] !== after[key])) await follow(before, after, context);
    return row;
  });
}
