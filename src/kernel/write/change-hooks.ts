import type { Context } from '../declare/context.js';
import type { Values } from '../declare/fields/options.js';
import type { RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import { rowStatement } from '../read/rows-by-id.js';

/** Writes a row. Then, in the same transaction, calls the change hooks that the record declares for the changed columns. */
export function runWithChangeHooks<T>(
  context: Context,
  cls: RecordClass,
  id: unknown,
  values: Values,
  work: () => Promise<T>,
): Promise<T> {
  const { onChange } = optionsOf(cls);
  if (!onChange) return work();
  const hooks = [onChange].flat().filter((hook) => hook.columns.some((key) => values[key] !== undefined));
  if (hooks.length === 0 || id === undefined) return work();
  const keys = hooks.flatMap((hook) => hook.columns);
  return context.sql.transaction(async () => {
    const [before] = await context.sql.statement(rowStatement(cls, keys, true), [id]);
    const result = await work();
    const [after] = before ? await context.sql.statement(rowStatement(cls, keys), [id]) : [];
    if (!before || !after) return result;
    for (const hook of hooks)
      if (hook.columns.some((key) => before[key] !== after[key])) await hook.onChange(before, after, context);
    return result;
  });
}
