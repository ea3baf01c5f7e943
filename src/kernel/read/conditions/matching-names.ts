import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import type { Row, Session } from '../../session.js';
import { constantRows } from '../constant-rows.js';
import { nameSimilarity } from './closeness.js';

/** Minimum length of a search word that can match the start of a word or a similar word. */
const minLooseLength = 4;
const minSimilarity = 0.75;

const foldAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Names of records, such as states, keyed by word. */
type Names = ReadonlyMap<string, ReadonlySet<string>>;

const namesByRows = new WeakMap<object, Names>();

/**
 * Returns all names of the records that have a word in one of their names, keyed by word. Cached for each version of the rows, because
 * there are thousands of states.
 */
function wordsOfNames(rows: ReadonlyMap<unknown, Row>, keys: readonly string[]): Names {
  const cached = namesByRows.get(rows);
  if (cached) return cached;
  const words = new Map<string, Set<string>>();
  for (const row of rows.values()) {
    const names = keys.flatMap((key) => (row[key] === null ? [] : [foldAccents(String(row[key]))]));
    for (const word of names.flatMap((name) => name.split(/\s+/))) {
      const wordNames = words.get(word) ?? new Set();
      for (const name of names) wordNames.add(name);
      words.set(word, wordNames);
    }
  }
  namesByRows.set(rows, words);
  return words;
}

/** Whether a word of a name starts with the search word or has a similar spelling. */
const isLike = (searchWord: string, word: string): boolean =>
  word.startsWith(searchWord) ||
  (word[0] === searchWord[0] &&
    Math.abs(word.length - searchWord.length) <= 1 &&
    nameSimilarity(searchWord, word) >= minSimilarity);

/**
 * Finds records, such as states, that have the search word in one of their names, and returns all names of these records. If there are
 * none, finds records by words that are similar to the search word or start with it.
 */
export async function matchingNames(sql: Session, cls: RecordClass, word: string): Promise<string[]> {
  const key = optionsOf(cls).search?.nameKey;
  const nameReference = key ? columnOf(metaOf(cls), key).field.nameReference : undefined;
  if (!nameReference) return [];
  const words = wordsOfNames(await constantRows(sql, nameReference.target()), nameReference.columns);
  const searchWord = foldAccents(word);
  const exactMatches = words.get(searchWord);
  if (exactMatches || searchWord.length < minLooseLength) return [...(exactMatches ?? [])];
  return [...new Set([...words].flatMap(([word, names]) => (isLike(searchWord, word) ? [...names] : [])))];
}
