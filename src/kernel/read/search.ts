import type { RecordClass } from '../declare/meta.js';
import { inNfc } from '../declare/nfc.js';
import type { Condition, CustomFilter } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';
import type { Param } from '../declare/row.js';
import { byNames, termsOfNames, termsOfRow } from './name-table.js';
import { checkSearch } from './operators.js';
import { anywhere, hasWords, searchingWords, wordFrom } from './search-words.js';

/** Most characters of the words. */
const most = 200;

interface Search extends Required<Pick<Condition & object, 'where' | 'branches'>> {
  /** SQL. */
  readonly rank: string;
}

/**
 * SQL: rows whose name holds the words as they are given, or all of them in some place, or nearly; in this order, so that the others need
 * not be looked at where the first ones fill a page.
 */
function searching(given: string, param: Param): (name: string) => Search {
  const words = inNfc(given);
  const asked = `folded(${param(words)}::text)`;
  const phrase = `folded(${param(anywhere(words))}::text)`;
  const several = [...new Set(words.split(/\s+/).filter((word) => word.length >= wordFrom))].slice(0, 12);
  const parts = several.length < 2 ? [] : several.map((word) => `folded(${param(anywhere(word))}::text)`);
  // Compared with the setting by a condition on similar names.
  if (parts.length > 0) param.dependOn('current_setting');
  return (name) => searchingIn(name, asked, phrase, parts);
}

function searchingIn(name: string, asked: string, phrase: string, parts: readonly string[]): Search {
  const near = `${asked} <% ${name}`;
  const holds = `${name} like ${phrase}`;
  const distance = `word_similarity(${asked}, ${name}) - similarity(${asked}, ${name}) / 10`;
  if (parts.length === 0)
    return {
      where: `(${holds} or ${near})`,
      branches: [{ where: holds, rank: 0 }, { where: `${near} and not ${holds}` }],
      rank: `(case when ${holds} then 0 else 2 - ${distance} end)::float8`,
    };
  // No index is asked for the similarity of what holds all words: that of the words is far smaller.
  const all = parts.map((part) => `${name} like ${part}`).join(' and ');
  const isNear = `word_similarity(${asked}, ${name}) >= current_setting('pg_trgm.word_similarity_threshold')::real`;
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

/** The filter of a record whose rows have names. */
export const searchOf = (cls: RecordClass, names: readonly string[]): CustomFilter => ({
  type: () => String,
  description: `Words of the ${names.length > 1 ? 'name' : names.join()}, in any case, with or without accents, small misspellings allowed; exact hits come first. At most ${most} characters.`,
  sql: (given: string, param, _, path) => {
    checkSearch(path, given, most);
    const { nameTable, wordTable } = optionsOf(cls);
    if (wordTable && hasWords(given)) return searchingWords(cls, given, param);
    const search = searching(given, param);
    const found = search(termsOfRow(cls, param.row).name);
    if (!nameTable) return { ...found, rank: () => ({ sql: found.rank }) };
    const { where, branches, rank } = search(termsOfNames(cls).name);
    return { ...byNames(cls, param, where), branches, rank: () => ({ sql: found.rank, names: rank }) };
  },
});
