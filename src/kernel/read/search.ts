import type { RecordClass } from '../declare/meta.js';
import { toNfc } from '../declare/nfc.js';
import type { Condition, CustomFilter } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';
import type { Param } from '../declare/row.js';
import { conditionByNames, termsOfNames, termsOfRow } from './name-table.js';
import { checkSearch } from './operators.js';
import { anywhere, hasWords, minWordLength, wordSearchCondition } from './search-words.js';

/** Maximum length of a search in characters. */
const maxLength = 200;

interface Search extends Required<Pick<Condition & object, 'where' | 'branches'>> {
  /** SQL. */
  readonly rank: string;
}

/**
 * SQL condition: rows whose name contains the exact search text, all of its words, or similar words, in this order. If the first ones fill a page,
 * the others are not evaluated.
 */
function nameSearch(text: string, param: Param): (name: string) => Search {
  const search = toNfc(text);
  const searchText = `folded(${param(search)}::text)`;
  const phrase = `folded(${param(anywhere(search))}::text)`;
  const distinctWords = [...new Set(search.split(/\s+/).filter((word) => word.length >= minWordLength))].slice(0, 12);
  const parts = distinctWords.length < 2 ? [] : distinctWords.map((word) => `folded(${param(anywhere(word))}::text)`);
  // The condition on similar names reads a threshold from a setting.
  if (parts.length > 0) param.dependOn('current_setting');
  return (name) => conditionsOnName(name, searchText, phrase, parts);
}

function conditionsOnName(name: string, searchText: string, phrase: string, parts: readonly string[]): Search {
  const near = `${searchText} <% ${name}`;
  const holds = `${name} like ${phrase}`;
  const distance = `word_similarity(${searchText}, ${name}) - similarity(${searchText}, ${name}) / 10`;
  if (parts.length === 0)
    return {
      where: `(${holds} or ${near})`,
      branches: [{ where: holds, rank: 0 }, { where: `${near} and not ${holds}` }],
      rank: `(case when ${holds} then 0 else 2 - ${distance} end)::float8`,
    };
  // The condition on all words does not use the index for similarity, because the index for the words returns far fewer rows.
  const all = parts.map((part) => `${name} like ${part}`).join(' and ');
  const isNear = `word_similarity(${searchText}, ${name}) >= current_setting('pg_trgm.word_similarity_threshold')::real`;
  return {
    where: `(${holds} or ${near})`,
    branches: [
      { where: holds, rank: 0, isFew: true },
      { where: `${all} and not ${holds} and ${isNear}` },
      { where: `${near} and not (${all}) and not ${holds}` },
    ],
    rank: `(case when ${holds} then 0 when ${all} then 2 - ${distance} else 4 - ${distance} end)::float8`,
  };
}

/** Filter `search` of a record with names. */
export const searchOf = (cls: RecordClass, names: readonly string[]): CustomFilter => ({
  type: () => String,
  description: `Words of the ${names.length > 1 ? 'name' : names.join()}, in any case, with or without accents, small misspellings allowed; exact hits come first. At most ${maxLength} characters.`,
  sql: (text: string, param, _, path) => {
    checkSearch(path, text, maxLength);
    const { nameTable, wordTable } = optionsOf(cls);
    if (wordTable && hasWords(text)) return wordSearchCondition(cls, text, param);
    const search = nameSearch(text, param);
    const rowSearch = search(termsOfRow(cls, param.row).name);
    if (!nameTable) return { ...rowSearch, rank: () => ({ sql: rowSearch.rank }) };
    const { where, branches, rank } = search(termsOfNames(cls).name);
    return { ...conditionByNames(cls, param, where), branches, rank: () => ({ sql: rowSearch.rank, names: rank }) };
  },
});
