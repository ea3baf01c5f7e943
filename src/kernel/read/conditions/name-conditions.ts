import {
  allOf,
  expression,
  type Parameter,
  parameter,
  type RowReference,
  type SqlExpression,
  tableNamed,
} from '../../declare/expression.js';
import type { FilterCondition } from '../../declare/fields/options.js';
import type { Column, RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import { conditionByNames, nameTableRow } from './name-table.js';
import { comparisonsOf } from './operators.js';
import { minWordLength } from './search-words.js';

/** Maximum number of words that are searched separately for one pattern. */
const maxParts = 12;

/**
 * Returns conditions on a column that is copied to a name table. Null for other columns. The name table stores names in lower case. `like`
 * patterns ignore case and need no other condition. For equality, the name table provides only candidates, and the condition on the column
 * checks them.
 */
export function nameConditions(
  cls: RecordClass,
  column: Column,
  operands: unknown,
  row: RowReference,
  path: string,
): FilterCondition[] | null {
  const { names, nameTable } = optionsOf(cls);
  if (!nameTable || !names?.includes(column.key)) return null;
  const name = nameTableRow.column(column.column);
  return comparisonsOf(column, operands, row, path).flatMap(({ condition, match }): FilterCondition[] => {
    if (!match) return [{ where: condition }];
    const { kind, operand } = match;
    if (kind === 'pattern') return [likeCondition(cls, name, operand, row)];
    const equals = (column: SqlExpression, text: SqlExpression) =>
      expression`split_words(${column}) @> split_words(lower(${text})) and ${column} = lower(${text})`;
    const matchingRow = row.for('m');
    const isEqual = equals(matchingRow.column(column.column), row.for('t'));
    const exactMatches = expression`unnest(${operand}::text[]) t join ${tableNamed(nameTable)} m on ${isEqual}`;
    const isNamed =
      kind === 'anyOf'
        ? expression`n.id = any(array(select m.id from ${exactMatches}))`
        : equals(name, expression`${operand}::text`);
    return [conditionByNames(cls, row, isNamed), { where: condition }];
  });
}

/**
 * Returns the condition for names that match a `like` pattern with `%` at its start or end. If the parts of the pattern are long enough,
 * the word index finds the names by words that contain these parts.
 */
function likeCondition(cls: RecordClass, name: SqlExpression, pattern: Parameter, row: RowReference): FilterCondition {
  const text = String(pattern.value);
  const matches = expression`${name} like lower(${pattern}::text)`;
  const { wordTable } = optionsOf(cls);
  const parts = text
    .slice(text.startsWith('%') ? 1 : 0, text.endsWith('%') ? -1 : undefined)
    .split(' ')
    .filter((part) => part.length >= minWordLength)
    .slice(0, maxParts);
  if (!wordTable || parts.length === 0) return conditionByNames(cls, row, matches);
  const lists = parts.map((part) => expression`${tableNamed(wordTable)}s_like(lower(${parameter(`%${part}%`)}::text))`);
  // A pattern with a single part matches if a word of the name contains that part. `…` represents words that are too long. Names with such
  // words are compared in full.
  const isPart = text === `%${parts.join()}%`;
  const wordCondition = (lists: readonly SqlExpression[]) => {
    const wordConditions = lists.map((list) => expression`split_words(${name}) && ${list}`);
    const remainingConditions = isPart ? lists.map((list) => expression`('…' <> all(${list}::text[]) or ${matches})`) : [matches];
    return allOf([...wordConditions, ...remainingConditions]);
  };
  return conditionByNames(cls, row, wordCondition(lists.map((list) => expression`(select ${list})`)), wordCondition(lists));
}
