import type { Context } from '../declare/context.js';
import type { Values } from '../declare/fields/options.js';
import type { RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import { rowStatement } from '../read/rows-by-id.js';

/** Writes a row. Then calls, in the same transaction, the followers of the record whose columns have changed. */
export function runWithFollowers<T>(
  context: Context,
  cls: RecordClass,
  id: unknown,
  values: Values,
  work: () => Promise<T>,
): Promise<T> {
  const { onChange } = optionsOf(cls);
  if (!onChange) return work();
  const followers = [onChange].flat().filter((follower) => follower.columns.some((key) => values[key] !== undefined));
  if (followers.length === 0 || id === undefined) return work();
  const keys = followers.flatMap((follower) => follower.columns);
  return context.sql.transaction(async () => {
    const [before] = await context.sql.statement(rowStatement(cls, keys, true), [id]);
    const result = await work();
    const [after] = before ? await context.sql.statement(rowStatement(cls, keys), [id]) : [];
    if (!before || !after) return result;
    for (const follower of followers)
      if (follower.columns.some((key) => before[key] !== after[key])) await follower.onChange(before, after, context);
    return result;
  });
}
