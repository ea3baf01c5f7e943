import { LockMode, raw } from '@mikro-orm/core';
import type { Context } from '../declare/context.js';
import type { RecordClass } from '../declare/meta.js';
import { visibleRows } from '../read/conditions/visible.js';
import { paramsFor } from '../statement.js';

/** Reads an entity and locks its row until the end of the transaction. Null if the row does not exist, or the caller cannot see it. */
export async function lockVisible<T extends { id: string }>(
  { caller, sql }: Context,
  cls: RecordClass<T>,
  id: string,
): Promise<T | null> {
  const values: Record<string, unknown> = {};
  const visible = visibleRows(
    cls,
    caller,
    paramsFor((value) => {
      const name = `value${Object.keys(values).length}`;
      values[name] = value;
      return `:${name}`;
    }),
  );
  const records: RecordClass<{ id: string }> = cls;
  const query = sql.em.createQueryBuilder(records, 'r').select('*').where({ id }).setLockMode(LockMode.PESSIMISTIC_WRITE);
  if (visible) query.andWhere(raw(visible, values));
  const entity = await query.getSingleResult();
  return entity instanceof cls ? entity : null;
}
