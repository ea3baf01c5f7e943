import { allOf, dependentSql, expression, parameter, type RowReference, type SqlExpression } from '../../declare/expression.js';
import type { CustomFilter, FilterCondition } from '../../declare/fields/options.js';
import type { RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import { containsPattern, toNfc } from '../../declare/scalars/text.js';
import { conditionByNames, nameTermsOfNameTable, nameTermsOfRow } from './name-table.js';
import { checkSearch } from './operators.js';
import { hasWords, minWordLength, wordSearchCondition } from './search-words.js';

/** Maximum length of a search in characters. */
const maxLength = 200;

interface Search extends Required<Pick<FilterCondition, 'where' | 'branches'>> {
  readonly rank: SqlExpression;
}

/**
 * Returns a function that builds the condition for names with the exact search text, all of its words, or similar words, in this order. A
 * later kind of match is searched only if the earlier kinds do not fill the page.
 */
function nameSearch(text: string): (name: SqlExpression) => Search {
  const search = toNfc(text);
  const folded = (value: string) => expression`unaccent_lower(${parameter(value)}::text)`;
  const searchText = folded(search);
  const phrase = folded(containsPattern(search));
  const distinctWords = [...new Set(search.split(/\s+/).filter((word) => word.length >= minWordLength))].slice(0, 12);
  const parts = distinctWords.length < 2 ? [] : distinctWords.map((word) => folded(containsPattern(word)));
  return (name) => conditionsOnName(name, searchText, phrase, parts);
}

/** Similarity threshold, which is a database setting. */
const similarityThreshold = dependentSql(`current_setting('pg_trgm.word_similarity_threshold')::real`, {
  otherDependency: 'current_setting',
});

function conditionsOnName(
  name: SqlExpression,
  searchText: SqlExpression,
  phrase: SqlExpression,
  parts: readonly SqlExpression[],
): Search {
  const isSimilar = expression`${searchText} <% ${name}`;
  const containsText = expression`${name} like ${phrase}`;
  const distance = expression`word_similarity(${searchText}, ${name}) - similarity(${searchText}, ${name}) / 10`;
  if (parts.length === 0)
    return {
      where: expression`(${containsText} or ${isSimilar})`,
      branches: [{ where: containsText, rank: 0 }, { where: expression`${isSimilar} and not ${containsText}` }],
      rank: expression`(case when ${containsText} then 0 else 2 - ${distance} end)::float8`,
    };
  // `isSimilarEnough` does not use the similarity index, because the conditions on the words match far fewer rows.
  const containsWords = allOf(parts.map((part) => expression`${name} like ${part}`));
  const isSimilarEnough = expression`word_similarity(${searchText}, ${name}) >= ${similarityThreshold}`;
  return {
    where: expression`(${containsText} or ${isSimilar})`,
    branches: [
      { where: containsText, rank: 0, isSelective: true },
      { where: expression`${containsWords} and not ${containsText} and ${isSimilarEnough}` },
      { where: expression`${isSimilar} and not (${containsWords}) and not ${containsText}` },
    ],
    rank: expression`(case when ${containsText} then 0 when ${containsWords} then 2 - ${distance} else 4 - ${distance} end)::float8`,
  };
}

/** Returns a condition that selects the rows whose names match a search text. `path` is the path of this text in the arguments. */
export function searchCondition(cls: RecordClass, text: string, row: RowReference, path: string): FilterCondition {
  checkSearch(path, text, maxLength);
  const { nameTable, wordTable } = optionsOf(cls);
  if (wordTable && hasWords(text)) return wordSearchCondition(cls, text, row);
  const search = nameSearch(text);
  const rowSearch = search(nameTermsOfRow(cls, row).name);
  if (!nameTable) return { ...rowSearch, rank: () => ({ sql: rowSearch.rank }) };
  const { where, branches, rank } = search(nameTermsOfNameTable(cls).name);
  return { ...conditionByNames(cls, row, where), branches, rank: () => ({ sql: rowSearch.rank, names: rank }) };
}

/** Returns the filter `search` of a record with names. */
export const searchOf = (cls: RecordClass, names: readonly string[]): CustomFilter => ({
  type: () => String,
  description: `Words in the ${names.length > 1 ? 'name' : names.join()}, ignoring case, accents and small misspellings. Exact matches come first. At most ${maxLength} characters.`,
  sql: (text: string, row, _, path) => searchCondition(cls, text, row, path),
});
