import type { Column, RecordClass } from '../declare/meta.js';
import type { Condition } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';
import type { Param } from '../session.js';
import { byNames } from './name-table.js';
import { columnConditions } from './operators.js';
import { wordFrom } from './search-words.js';

/** Conditions of which a name table, which has names in lower case, says the same as the record: `ilike` compares in lower case, too. */
const same = / ilike (\$\d+)$/;
/** Conditions of which it tells the rows that may meet them. */
const likely = / = (any\()?(\$\d+)\)?$/;

/** Most parts of a pattern that are looked for by themselves. */
const mostParts = 12;

/** The conditions on a name that has a name table; null for other columns. */
export function nameConditions(cls: RecordClass, column: Column, given: unknown, param: Param, path: string): Condition[] | null {
  const { names, nameTable } = optionsOf(cls);
  if (!nameTable || !names?.includes(column.key)) return null;
  const name = `n.${column.column}`;
  const values = new Map<string, unknown>();
  const kept = (value: unknown) => {
    const place = param(value);
    values.set(place, value);
    return place;
  };
  return columnConditions(column, given, kept, path).flatMap((condition): Condition[] => {
    const [, pattern] = same.exec(condition) ?? [];
    if (pattern) return [like(cls, name, pattern, String(values.get(pattern)), param)];
    const [, several, value] = likely.exec(condition) ?? [];
    if (!value) return [condition];
    const is = (column: string, text: string) => `words_of(${column}) @> words_of(lower(${text})) and ${column} = lower(${text})`;
    const each = `unnest(${value}::text[]) t join ${nameTable} m on ${is(`m.${column.column}`, 't')}`;
    return [byNames(cls, several ? `n.id = any(array(select m.id from ${each}))` : is(name, `${value}::text`)), condition];
  });
}

/**
 * SQL: names that match a pattern with signs at its ends. They are found by the words that have its parts in them, where these are long enough
 * for an index of the words.
 */
function like(cls: RecordClass, name: string, pattern: string, text: string, param: Param): Condition & object {
  const matches = `${name} like lower(${pattern}::text)`;
  const { wordTable } = optionsOf(cls);
  const parts = text
    .replace(/^%|%$/g, '')
    .split(' ')
    .filter((part) => part.length >= wordFrom)
    .slice(0, mostParts);
  if (!wordTable || parts.length === 0) return byNames(cls, matches);
  const lists = parts.map((part) => `${wordTable}s_like(lower(${param(`%${part}%`)}::text))`);
  // A part that is all of the pattern is in a name when it is in one of its words, but for those that stand for others, as they are too long.
  const isPart = text === `%${parts.join()}%`;
  const where = (list: (text: string) => string) => {
    const found = lists.map((text) => `words_of(${name}) && ${list(text)}`);
    const rest = isPart ? lists.map((text) => `('…' <> all(${list(text)}::text[]) or ${matches})`) : [matches];
    return [...found, ...rest].join(' and ');
  };
  return byNames(
    cls,
    where((list) => `(select ${list})`),
    where((list) => list),
  );
}
