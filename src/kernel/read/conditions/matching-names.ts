import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import type { Row, Session } from '../../session.js';
import { constantRows } from '../constant-rows.js';
import { closeness } from './closeness.js';

/** Minimum length of a search word to match the start of a name or a similar spelling. */
const minLooseLength = 4;
const minSimilarity = 0.75;

const foldAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Maps each word to the names that contain it. The names are those of records such as states. */
type Names = ReadonlyMap<string, ReadonlySet<string>>;

const namesByRows = new WeakMap<object, Names>();

/** Cached for each version of the rows, because there are thousands of states. */
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

/** Whether a word of a name begins with the search word, or is spelled similarly. */
const isLike = (searchWord: string, word: string): boolean =>
  word.startsWith(searchWord) ||
  (word[0] === searchWord[0] && Math.abs(word.length - searchWord.length) <= 1 && closeness(searchWord, word) >= minSimilarity);

/** All names of the records, such as states, with a search word in one of their names. */
export async function matchingNames(sql: Session, cls: RecordClass, word: string): Promise<string[]> {
  const key = optionsOf(cls).search?.nameKey;
  const nameReference = key ? columnOf(metaOf(cls), key).field.nameReference : undefined;
  if (!nameReference) return [];
  const words = wordsOfNames(await constantRows(sql, nameReference.target()), nameReference.columns);
  const searchWord = foldAccents(word);
  const exactRows = words.get(searchWord);
  if (exactRows || searchWord.length < minLooseLength) return [...(exactRows ?? [])];
  return [...new Set([...words].flatMap(([word, names]) => (isLike(searchWord, word) ? [...names] : [])))];
}
