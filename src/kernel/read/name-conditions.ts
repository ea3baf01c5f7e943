import type { Column, RecordClass } from '../declare/meta.js';
import type { Condition } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';
import type { Param } from '../session.js';
import { byNames } from './name-table.js';
import { columnConditions } from './operators.js';

/** Conditions of which a name table, which has names in lower case, says the same as the record: `ilike` compares in lower case, too. */
const same = / ilike (\$\d+)$/;
/** Conditions of which it tells the rows that may meet them. */
const likely = / = (any\()?(\$\d+)\)?$/;

/** The conditions on a name that has a name table; null for other columns. */
export function nameConditions(cls: RecordClass, column: Column, given: unknown, param: Param, path: string): Condition[] | null {
  const { names, nameTable } = optionsOf(cls);
  if (!nameTable || !names?.includes(column.key)) return null;
  const name = `n.${column.column}`;
  return columnConditions(column, given, param, path).flatMap((condition): Condition[] => {
    const [, pattern] = same.exec(condition) ?? [];
    if (pattern) return [byNames(cls, `${name} like lower(${pattern}::text)`)];
    const [, several, value] = likely.exec(condition) ?? [];
    if (!value) return [condition];
    const found = several
      ? `${name} = any(array(select lower(t) from unnest(${value}::text[]) t))`
      : `${name} = lower(${value}::text)`;
    return [byNames(cls, found), condition];
  });
}
