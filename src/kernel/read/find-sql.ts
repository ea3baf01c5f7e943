import type { RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import { containsPattern, escapeLike, toNfc } from '../declare/scalars/text.js';
import { sqlForReading } from '../facts.js';
import { is } from '../row-shape.js';
import type { Param, Row, Session } from '../session.js';
import { collectForText } from '../statement.js';
import { closeness } from './conditions/closeness.js';
import { matchingNames } from './conditions/matching-names.js';
import { visibleRows } from './conditions/visible.js';

/** Minimum length of a search word that matches inside longer words. The trigram index does not support shorter words. */
const minInsideLength = 3;
/**
 * Maximum length of a search word that is also searched with swapped letters. Longer words share enough trigrams with a misspelling to be
 * found by similarity.
 */
const maxSwappedLength = 6;
/** Maximum number of words in a search. Further words are ignored. */
const maxWords = 12;
/** Number of exact matches from which a search omits similar matches. */
const minExactMatches = 25;
/**
 * Maximum number of similar matches. Ranking a match takes about 10 µs, and a misspelled common word can match tens of thousands of rows.
 */
const maxSimilarMatches = 2_000;

/** Returns all spellings of a short word with two neighboring letters swapped. */
const swappedSpellings = (word: string): string[] => {
  const letters = [...word];
  if (letters.length <= minInsideLength || letters.length > maxSwappedLength) return [];
  return letters
    .slice(1)
    .map((letter, index) => [...letters.slice(0, index), letter, letters[index], ...letters.slice(index + 2)].join(''));
};

/** Returns the patterns for a word and its swapped spellings. Short words match only the start of a word. */
const patternsOf = (word: string): string[] =>
  word.length < minInsideLength
    ? [`${escapeLike(word)}%`, `% ${escapeLike(word)}%`]
    : [word, ...swappedSpellings(word)].map(containsPattern);

interface WordConditions {
  /** SQL condition for exact matches of the word. */
  readonly strict: string;
  /** SQL condition for exact or similar matches of the word. */
  readonly near: string;
}

/**
 * Returns SQL conditions on `search_text`, aliased `s`. `states` are the titles and abbreviations of matching states, because rows contain
 * one or the other.
 */
function conditionsOf(word: string, states: readonly string[], param: Param): WordConditions {
  const patterns = patternsOf(word).map((pattern) => `s.text like unaccent_lower(${param(pattern)}::text)`);
  const strict = [...patterns, ...(states.length ? [`s.state = any(${param(states)}::text[])`] : [])].join(' or ');
  const searchWord = `unaccent_lower(${param(word)}::text)`;
  // `<<%` compares whole words, with a separate threshold (src/database/orm.ts).
  return { strict: `(${strict})`, near: `(${strict} or ${searchWord} <<% s.text or ${searchWord} <% s.text)` };
}

/** Returns the SQL condition that the caller may find a row. With `offset 0`, PostgreSQL runs the subqueries only for rows that it reads. */
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

/** Returns the names of the states that match a search word. */
async function statesOf(sql: Session, records: readonly RecordClass[], word: string): Promise<string[]> {
  return [...new Set((await Promise.all(records.map((cls) => matchingNames(sql, cls, word)))).flat())];
}

interface Search {
  /**
   * SQL of the common table expressions. `matches` contains the rows that match all words. `stage` is 0 for exact matches and 1 for similar
   * ones.
   */
  readonly ctes: string;
  /** SQL condition that the caller may find the row `f` of `matches`. */
  readonly isFound: string;
  /** SQL array of the record names. */
  readonly recordNames: string;
}

async function searchOf(sql: Session, records: readonly RecordClass[], text: string, param: Param): Promise<Search> {
  const words = [...new Set(toNfc(text).split(/\s+/))].slice(0, maxWords);
  const states = await Promise.all(words.map((word) => statesOf(sql, records, word)));
  const conditions = words.map((word, index) => conditionsOf(word, states[index] ?? [], param));
  const recordNames = `${param(records.map(({ name }) => name))}::text[]`;
  const allWords = (precision: keyof WordConditions) => conditions.map((condition) => condition[precision]).join(' and ');
  const rows = `from ${param.table('search_text')} s where s.record = any(${recordNames})`;
  return {
    ctes: `with strict as materialized (select s.record, s.id, s.name ${rows} and ${allWords('strict')}),
      matches as (
        select 0 as stage, f.* from strict f
        union all
        (select 1 as stage, s.record, s.id, s.name ${rows} and ${allWords('near')} and (${allWords('strict')}) is not true
          and (select count(*) < ${minExactMatches} from (select from strict f where ${isFound(records, 'f', sql, param)} limit ${minExactMatches}) few)
          limit ${maxSimilarMatches}))`,
    isFound: isFound(records, 'f', sql, param),
    recordNames,
  };
}

/** Number of rows at the top of the list that are sorted by edit distance. */
const comparedRows = 200;

/** Sorts rows by edit distance, because the database's trigram similarity is low for transposed letters. */
const byEditDistance = (rows: readonly Row[]): Row[] =>
  rows
    .map((row, index) => ({ row, index, score: Number(row.score) + closeness(String(row.search), String(row.name)) }))
    .sort((a, b) => Number(a.row.stage) - Number(b.row.stage) || b.score - a.score || a.index - b.index)
    .map(({ row }) => row);

/**
 * Searches several records in one statement for rows that have all words in their name or location. Exact matches come first. If there are
 * few, similar matches follow.
 */
export async function searchRows(
  sql: Session,
  records: readonly RecordClass[],
  text: string,
  first: number,
  offset: number,
): Promise<Row[]> {
  const values: unknown[] = [];
  const param = collectForText(values);
  const { ctes, isFound, recordNames } = await searchOf(sql, records, text, param);
  const searchText = `unaccent_lower(${param(toNfc(text))}::text)`;
  const containsText = `f.name like unaccent_lower(${param(containsPattern(toNfc(text)))}::text)`;
  const firstIndex = offset < comparedRows ? 0 : offset;
  const [limit, offsetParam] = [param(Math.max(comparedRows, offset + first) - firstIndex), param(firstIndex)];
  // There can be many exact matches, so sorting them must be cheap. Similarity is computed only for similar matches and for the rows of the
  // page.
  const order = `stage, not ${containsText}, case stage when 1 then -word_similarity(${searchText}, f.name) end, length(f.name), array_position(${recordNames}, f.record), f.id`;
  const rows = await sql.rows(
    sqlForReading(
      param.statedFacts.tables,
      `${ctes} select f.record as "$type", f.id, f.name, f.stage, ${searchText} as search,
        (${containsText})::int + word_similarity(${searchText}, f.name) + similarity(${searchText}, f.name) / 10 as score
      from (select * from (select f.* from matches f order by ${order} offset 0) f where ${isFound} limit ${limit} offset ${offsetParam}) f`,
      param.statedFacts,
    ),
    values,
  );
  const sortedRows = firstIndex === 0 ? [...byEditDistance(rows.slice(0, comparedRows)), ...rows.slice(comparedRows)] : rows;
  return sortedRows.slice(offset - firstIndex, offset - firstIndex + first);
}

/** Returns the total number of rows that match a search. */
export async function countSearchRows(sql: Session, records: readonly RecordClass[], text: string): Promise<number> {
  const values: unknown[] = [];
  const param = collectForText(values);
  const { ctes, isFound } = await searchOf(sql, records, text, param);
  const count = `${ctes} select count(*)::int as n from matches f where ${isFound}`;
  const row = await sql.row(sqlForReading(param.statedFacts.tables, count, param.statedFacts), values, {
    n: is.number,
  });
  return row?.n ?? 0;
}
