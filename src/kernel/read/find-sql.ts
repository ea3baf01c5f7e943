import type { RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import { toNfc } from '../declare/scalars/nfc.js';
import { readSql } from '../facts.js';
import { is } from '../row-shape.js';
import type { Param, Row, Session } from '../session.js';
import { collectForText } from '../statement.js';
import { closeness } from './conditions/closeness.js';
import { matchingNames } from './conditions/matching-names.js';
import { visibleRows } from './conditions/visible.js';

/** Minimum length of a search word to be found inside longer words. The trigram index does not help for shorter words. */
const minInsideLength = 3;
/** Maximum length of a search word to be tried with swapped letters. Longer words keep enough trigrams for a comparison. */
const maxSwappedLength = 6;
/** Maximum number of words of a search. Further words are ignored. */
const maxWords = 12;
/** Minimum number of exact matches for a search to skip similar words. */
const minExactMatches = 25;
/** Maximum number of similar matches. Ranking one takes about 10 µs, and a misspelled common word can match tens of thousands of rows. */
const maxSimilarMatches = 2_000;

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
const pattern = (text: string): string => `%${escapeLike(text)}%`;

/** The spellings of a short word with two neighboring letters swapped. */
const swappedSpellings = (word: string): string[] => {
  const letters = [...word];
  if (letters.length <= minInsideLength || letters.length > maxSwappedLength) return [];
  return letters
    .slice(1)
    .map((letter, index) => [...letters.slice(0, index), letter, letters[index], ...letters.slice(index + 2)].join(''));
};

/** Patterns of a word and its swapped spellings. Short words must start a word of the text. */
const patternsOf = (word: string): string[] =>
  word.length < minInsideLength
    ? [`${escapeLike(word)}%`, `% ${escapeLike(word)}%`]
    : [word, ...swappedSpellings(word)].map(pattern);

interface WordConditions {
  /** SQL: exact match of the word. */
  readonly strict: string;
  /** SQL: exact or similar match of the word. */
  readonly near: string;
}

/** SQL conditions on `search_text`, aliased `s`. `states` has the titles and abbreviations of matching states, because rows store either of them. */
function conditionsOf(word: string, states: readonly string[], param: Param): WordConditions {
  const patterns = patternsOf(word).map((pattern) => `s.text like unaccent_lower(${param(pattern)}::text)`);
  const strict = [...patterns, ...(states.length ? [`s.state = any(${param(states)}::text[])`] : [])].join(' or ');
  const searchWord = `unaccent_lower(${param(word)}::text)`;
  // `<<%` compares whole words, with a separate threshold (src/database/orm.ts).
  return { strict: `(${strict})`, near: `(${strict} or ${searchWord} <<% s.text or ${searchWord} <% s.text)` };
}

/** SQL condition: the caller may find the row of `search_text`. With `offset 0`, PostgreSQL runs the subqueries only for the rows that it reads. */
function isFound(records: readonly RecordClass[], row: string, { caller }: Session, param: Param): string {
  const cases = records.flatMap((cls) => {
    const { searchable, table } = optionsOf(cls);
    const conditions = [searchable?.(caller, param), visibleRows(cls, caller, param)].filter(
      (condition) => typeof condition === 'string',
    );
    if (conditions.length === 0) return [];
    const isAllowed = conditions.map((condition) => `(${condition})`).join(' and ');
    return [
      `when '${cls.name}' then exists (select from ${param.table(table)} r where r.id = ${row}.id and ${isAllowed} offset 0)`,
    ];
  });
  return cases.length ? `case ${row}.record ${cases.join(' ')} else true end` : 'true';
}

/** Names of the states that match a search word. */
async function statesOf(sql: Session, records: readonly RecordClass[], word: string): Promise<string[]> {
  return [...new Set((await Promise.all(records.map((cls) => matchingNames(sql, cls, word)))).flat())];
}

interface Search {
  /** SQL: `with` clause. `found` has the rows that match all words. `stage` is 0 for exact matches and 1 for similar ones. */
  readonly ctes: string;
  /** SQL: the caller may find the row `f` of `found`. */
  readonly isFound: string;
  /** SQL: array of the record names. */
  readonly kinds: string;
}

async function searchOf(sql: Session, records: readonly RecordClass[], text: string, param: Param): Promise<Search> {
  const words = [...new Set(toNfc(text).split(/\s+/))].slice(0, maxWords);
  const states = await Promise.all(words.map((word) => statesOf(sql, records, word)));
  const conditions = words.map((word, index) => conditionsOf(word, states[index] ?? [], param));
  const kinds = `${param(records.map(({ name }) => name))}::text[]`;
  const all = (precision: keyof WordConditions) => conditions.map((condition) => condition[precision]).join(' and ');
  const rows = `from ${param.table('search_text')} s where s.record = any(${kinds})`;
  return {
    ctes: `with strict as materialized (select s.record, s.id, s.name ${rows} and ${all('strict')}),
      found as (
        select 0 as stage, f.* from strict f
        union all
        (select 1 as stage, s.record, s.id, s.name ${rows} and ${all('near')} and (${all('strict')}) is not true
          and (select count(*) < ${minExactMatches} from (select from strict f where ${isFound(records, 'f', sql, param)} limit ${minExactMatches}) few)
          limit ${maxSimilarMatches}))`,
    isFound: isFound(records, 'f', sql, param),
    kinds,
  };
}

/** Number of top rows that are reordered by edit distance. */
const comparedRows = 200;

/** Reorders rows by edit distance, because the trigrams that the database compares do not match transposed letters. */
const byEditDistance = (rows: readonly Row[]): Row[] =>
  rows
    .map((row, index) => ({ row, index, fits: Number(row.fits) + closeness(String(row.asked), String(row.name)) }))
    .sort((a, b) => Number(a.row.stage) - Number(b.row.stage) || b.fits - a.fits || a.index - b.index)
    .map(({ row }) => row);

/**
 * Searches several records in one statement, for rows that match all words in name or location. Exact matches come first. If there are few, similar
 * matches follow.
 */
export async function find(
  sql: Session,
  records: readonly RecordClass[],
  text: string,
  first: number,
  offset: number,
): Promise<Row[]> {
  const values: unknown[] = [];
  const param = collectForText(values);
  const { ctes, isFound, kinds } = await searchOf(sql, records, text, param);
  const searchText = `unaccent_lower(${param(toNfc(text))}::text)`;
  const containsText = `f.name like unaccent_lower(${param(pattern(toNfc(text)))}::text)`;
  const firstIndex = offset < comparedRows ? 0 : offset;
  const [limit, offsetParam] = [param(Math.max(comparedRows, offset + first) - firstIndex), param(firstIndex)];
  // Exact matches can be many, so they have a cheap order. Similarity is computed only for similar matches and for the rows of the page.
  const order = `stage, not ${containsText}, case stage when 1 then -word_similarity(${searchText}, f.name) end, length(f.name), array_position(${kinds}, f.record), f.id`;
  const rows = await sql.rows(
    readSql(
      param.statedFacts.tables,
      `${ctes} select f.record as "$type", f.id, f.name, f.stage, ${searchText} as asked,
        (${containsText})::int + word_similarity(${searchText}, f.name) + similarity(${searchText}, f.name) / 10 as fits
      from (select * from (select f.* from found f order by ${order} offset 0) f where ${isFound} limit ${limit} offset ${offsetParam}) f`,
      param.statedFacts,
    ),
    values,
  );
  const sortedRows = firstIndex === 0 ? [...byEditDistance(rows.slice(0, comparedRows)), ...rows.slice(comparedRows)] : rows;
  return sortedRows.slice(offset - firstIndex, offset - firstIndex + first);
}

/** Total number of rows that `find` can return. */
export async function countFound(sql: Session, records: readonly RecordClass[], text: string): Promise<number> {
  const values: unknown[] = [];
  const param = collectForText(values);
  const { ctes, isFound } = await searchOf(sql, records, text, param);
  const count = `${ctes} select count(*)::int as n from found f where ${isFound}`;
  const row = await sql.row(readSql(param.statedFacts.tables, count, param.statedFacts), values, {
    n: is.number,
  });
  return row?.n ?? 0;
}
