import type { Condition } from '../../declare/fields/options.js';
import type { Column, RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import type { Param } from '../../session.js';
import { conditionByNames, nameAlias } from './name-table.js';
import { comparisonsOf } from './operators.js';
import { minWordLength } from './search-words.js';

/** Maximum number of words in a pattern that are searched separately. */
const maxParts = 12;

/**
 * Returns conditions on a name that is in a name table. Null for other columns. The name table stores names in lower case. `like` patterns
 * ignore case and need no other condition. For equality, the name table only provides candidates.
 */
export function nameConditions(
  cls: RecordClass,
  column: Column,
  operands: unknown,
  param: Param,
  path: string,
): Condition[] | null {
  const { names, nameTable } = optionsOf(cls);
  if (!nameTable || !names?.includes(column.key)) return null;
  const name = `${nameAlias}.${column.column}`;
  return comparisonsOf(column, operands, param, path).flatMap(({ condition, match }): Condition[] => {
    if (!match) return [condition];
    const { kind, placeholder, value } = match;
    if (kind === 'pattern') return [likeCondition(cls, name, placeholder, String(value), param)];
    const equals = (column: string, text: string) =>
      `split_words(${column}) @> split_words(lower(${text})) and ${column} = lower(${text})`;
    const exactMatches = `unnest(${placeholder}::text[]) t join ${nameTable} m on ${equals(`m.${column.column}`, 't')}`;
    const isNamed =
      kind === 'anyOf' ? `n.id = any(array(select m.id from ${exactMatches}))` : equals(name, `${placeholder}::text`);
    return [conditionByNames(cls, param, isNamed), condition];
  });
}

/**
 * Returns the condition for names that match a `like` pattern with `%` at its start or end. If the parts of the pattern are long enough for
 * the index on words, the names are found by the words that contain them.
 */
function likeCondition(cls: RecordClass, name: string, pattern: string, text: string, param: Param): Condition & object {
  const matches = `${name} like lower(${pattern}::text)`;
  const { wordTable } = optionsOf(cls);
  const parts = text
    .slice(text.startsWith('%') ? 1 : 0, text.endsWith('%') ? -1 : undefined)
    .split(' ')
    .filter((part) => part.length >= minWordLength)
    .slice(0, maxParts);
  if (!wordTable || parts.length === 0) return conditionByNames(cls, param, matches);
  const words = param.table(wordTable);
  const lists = parts.map((part) => `${words}s_like(lower(${param(`%${part}%`)}::text))`);
  // A pattern with a single part matches if a word of the name contains it. `…` stands for words that are too long, whose names are
  // compared in full.
  const isPart = text === `%${parts.join()}%`;
  const wordCondition = (list: (text: string) => string) => {
    const wordConditions = lists.map((text) => `split_words(${name}) && ${list(text)}`);
    const remainingConditions = isPart ? lists.map((text) => `('…' <> all(${list(text)}::text[]) or ${matches})`) : [matches];
    return [...wordConditions, ...remainingConditions].join(' and ');
  };
  return conditionByNames(
    cls,
    param,
    wordCondition((list) => `(select ${list})`),
    wordCondition((list) => list),
  );
}
