import type { Condition, CustomFilter } from '../../declare/fields/options.js';
import type { RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import type { Param } from '../../declare/row.js';
import { containsPattern, toNfc } from '../../declare/scalars/text.js';
import { conditionByNames, termsOfNames, termsOfRow } from './name-table.js';
import { checkSearch } from './operators.js';
import { hasWords, minWordLength, wordSearchCondition } from './search-words.js';

/** Maximum length of a search in characters. */
const maxLength = 200;

interface Search extends Required<Pick<Condition & object, 'where' | 'branches'>> {
  /** SQL expression of the rank. */
  readonly rank: string;
}

/**
 * Returns a function that builds the condition for names with the exact search text, all of its words, or similar words, in this order. A
 * later kind of match is evaluated only if the earlier ones do not fill the page.
 */
function nameSearch(text: string, param: Param): (name: string) => Search {
  const search = toNfc(text);
  const searchText = `unaccent_lower(${param(search)}::text)`;
  const phrase = `unaccent_lower(${param(containsPattern(search))}::text)`;
  const distinctWords = [...new Set(search.split(/\s+/).filter((word) => word.length >= minWordLength))].slice(0, 12);
  const parts =
    distinctWords.length < 2 ? [] : distinctWords.map((word) => `unaccent_lower(${param(containsPattern(word))}::text)`);
  // The condition for similar names uses a threshold from a database setting.
  if (parts.length > 0) param.dependOn('current_setting');
  return (name) => conditionsOnName(name, searchText, phrase, parts);
}

function conditionsOnName(name: string, searchText: string, phrase: string, parts: readonly string[]): Search {
  const isSimilar = `${searchText} <% ${name}`;
  const containsText = `${name} like ${phrase}`;
  const distance = `word_similarity(${searchText}, ${name}) - similarity(${searchText}, ${name}) / 10`;
  if (parts.length === 0)
    return {
      where: `(${containsText} or ${isSimilar})`,
      branches: [{ where: containsText, rank: 0 }, { where: `${isSimilar} and not ${containsText}` }],
      rank: `(case when ${containsText} then 0 else 2 - ${distance} end)::float8`,
    };
  // `isNear` does not use the similarity index, because the index on words returns far fewer rows.
  const containsWords = parts.map((part) => `${name} like ${part}`).join(' and ');
  const isNear = `word_similarity(${searchText}, ${name}) >= current_setting('pg_trgm.word_similarity_threshold')::real`;
  return {
    where: `(${containsText} or ${isSimilar})`,
    branches: [
      { where: containsText, rank: 0, isSelective: true },
      { where: `${containsWords} and not ${containsText} and ${isNear}` },
      { where: `${isSimilar} and not (${containsWords}) and not ${containsText}` },
    ],
    rank: `(case when ${containsText} then 0 when ${containsWords} then 2 - ${distance} else 4 - ${distance} end)::float8`,
  };
}

/** Returns the filter `search` of a record with names. */
export const searchOf = (cls: RecordClass, names: readonly string[]): CustomFilter => ({
  type: () => String,
  description: `Words in the ${names.length > 1 ? 'name' : names.join()}, ignoring case, accents and small misspellings. Exact matches come first. At most ${maxLength} characters.`,
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
