import {
  allOf,
  alwaysTrue,
  anyOf,
  constantSql,
  expression,
  joinExpressions,
  mainRow,
  parameter,
  type SqlExpression,
  tableNamed,
} from '../declare/expression.js';
import type { RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import { containsPattern, escapeLike, toNfc } from '../declare/scalars/text.js';
import { is } from '../row-shape.js';
import type { Row, Session } from '../session.js';
import { readingSql } from '../statement.js';
import { nameSimilarity } from './conditions/closeness.js';
import { matchingNames } from './conditions/matching-names.js';
import { visibleRows } from './conditions/visible.js';

/** Minimum length of a search word that can match inside longer words. The trigram index does not support shorter words. */
const minInsideLength = 3;
/**
 * Maximum length of a search word that is also searched with swapped letters. Longer words share enough trigrams with a misspelling to be
 * found by similarity.
 */
const maxSwappedLength = 6;
/** Maximum number of words in a search. Further words are ignored. */
const maxWords = 12;
/** If a search has at least this many exact matches, similar matches are omitted. */
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

const folded = (text: string): SqlExpression => expression`unaccent_lower(${parameter(text)}::text)`;

interface WordConditions {
  /** SQL condition for exact matches of the word. */
  readonly strict: SqlExpression;
  /** SQL condition for exact or similar matches of the word. */
  readonly near: SqlExpression;
}

/**
 * Returns SQL conditions on `search_text`, aliased `s`. `states` are the titles and abbreviations of matching states, because rows contain
 * one or the other.
 */
function conditionsOf(word: string, states: readonly string[]): WordConditions {
  const patterns = patternsOf(word).map((pattern) => expression`s.text like ${folded(pattern)}`);
  const strict = anyOf([...patterns, ...(states.length ? [expression`s.state = any(${parameter(states)}::text[])`] : [])]);
  const searchWord = folded(word);
  // `<<%` compares whole words, with a separate threshold (src/database/orm.ts).
  const near = expression`(${strict} or ${searchWord} <<% s.text or ${searchWord} <% s.text)`;
  return { strict: expression`(${strict})`, near };
}

/**
 * Returns the SQL condition that the caller may find the row `f`. Because of `offset 0`, PostgreSQL runs the subqueries only for rows that
 * it reads.
 */
function isFound(records: readonly RecordClass[], { caller }: Session): SqlExpression {
  const cases = records.flatMap((cls) => {
    const { searchable, table } = optionsOf(cls);
    const conditions = [searchable?.(caller, mainRow), visibleRows(cls, caller, mainRow)].flatMap((condition) =>
      condition ? [expression`(${condition})`] : [],
    );
    if (conditions.length === 0) return [];
    const exists = expression`exists (select from ${tableNamed(table)} r where r.id = f.id and ${allOf(conditions)} offset 0)`;
    return [expression`when '${constantSql(cls.name)}' then ${exists}`];
  });
  return cases.length ? expression`case f.record ${joinExpressions(cases, ' ')} else true end` : alwaysTrue;
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
  readonly ctes: SqlExpression;
  /** SQL condition that the caller may find the row `f` of `matches`. */
  readonly isFound: SqlExpression;
  /** SQL array of the record names. */
  readonly recordNames: SqlExpression;
}

/** Returns the first distinct words of a search text. Ignores words without letters or digits, unless the text contains only such words. */
function searchWordsIn(text: string): string[] {
  const words = [...new Set(toNfc(text).split(/\s+/))];
  const searchableWords = words.filter((word) => /[\p{L}\p{N}]/u.test(word));
  return (searchableWords.length > 0 ? searchableWords : words).slice(0, maxWords);
}

async function searchOf(sql: Session, records: readonly RecordClass[], text: string): Promise<Search> {
  const words = searchWordsIn(text);
  const states = await Promise.all(words.map((word) => statesOf(sql, records, word)));
  const conditions = words.map((word, index) => conditionsOf(word, states[index] ?? []));
  const recordNames = expression`${parameter(records.map(({ name }) => name))}::text[]`;
  const exactLimit = constantSql(minExactMatches);
  const allWords = (precision: keyof WordConditions) => allOf(conditions.map((condition) => condition[precision]));
  const isAllowed = isFound(records, sql);
  const rows = expression`from ${tableNamed('search_text')} s where s.record = any(${recordNames})`;
  return {
    ctes: expression`with strict as materialized (select s.record, s.id, s.name ${rows} and ${allWords('strict')}),
      matches as (
        select 0 as stage, f.* from strict f
        union all
        (select 1 as stage, s.record, s.id, s.name ${rows} and ${allWords('near')} and (${allWords('strict')}) is not true
          and (select count(*) < ${exactLimit} from (select from strict f where ${isAllowed} limit ${exactLimit}) few)
          limit ${constantSql(maxSimilarMatches)}))`,
    isFound: isAllowed,
    recordNames,
  };
}

/** Number of rows at the start of the list that are sorted by edit distance. */
const comparedRows = 200;

/**
 * Sorts the rows of each stage by their score and edit distance, because the trigram similarity in the score is low for transposed letters.
 */
const byEditDistance = (rows: readonly Row[]): Row[] =>
  rows
    .map((row, index) => ({ row, index, score: Number(row.score) + nameSimilarity(String(row.search), String(row.name)) }))
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
  const { ctes, isFound, recordNames } = await searchOf(sql, records, text);
  const searchText = folded(toNfc(text));
  const containsText = expression`f.name like ${folded(containsPattern(toNfc(text)))}`;
  const firstIndex = offset < comparedRows ? 0 : offset;
  const limit = parameter(Math.max(comparedRows, offset + first) - firstIndex);
  // There can be many exact matches, so sorting them must be cheap. Similarity is computed only for similar matches and for the rows of the
  // page.
  const order = expression`stage, not ${containsText}, case stage when 1 then -word_similarity(${searchText}, f.name) end, length(f.name), array_position(${recordNames}, f.record), f.id`;
  const rows = await sql.rows(
    ...readingSql(
      expression`${ctes} select f.record as "$type", f.id, f.name, f.stage, ${searchText} as search,
        (${containsText})::int + word_similarity(${searchText}, f.name) + similarity(${searchText}, f.name) / 10 as score
      from (select * from (select f.* from matches f order by ${order} offset 0) f where ${isFound} limit ${limit} offset ${parameter(firstIndex)}) f`,
    ),
  );
  const sortedRows = firstIndex === 0 ? [...byEditDistance(rows.slice(0, comparedRows)), ...rows.slice(comparedRows)] : rows;
  return sortedRows.slice(offset - firstIndex, offset - firstIndex + first);
}

/** Returns the total number of rows that match a search. */
export async function countSearchRows(sql: Session, records: readonly RecordClass[], text: string): Promise<number> {
  const { ctes, isFound } = await searchOf(sql, records, text);
  const count = expression`${ctes} select count(*)::int as n from matches f where ${isFound}`;
  const row = await sql.row(...readingSql(count), { n: is.number });
  return row?.n ?? 0;
}
