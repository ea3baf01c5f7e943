import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import type { Session } from '../session.js';
import { closeness } from './closeness.js';
import { constantRows } from './constant-rows.js';

/** SQL of the text of a row's place as it is searched, or null if the record has none; the index holds this very text. */
export function placeText(cls: RecordClass, row = ''): string | null {
  const texts = optionsOf(cls).searchedPlace?.texts.map((key) => row + columnOf(metaOf(cls), key).column);
  return texts ? `folded(nfc(${texts.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `)}))` : null;
}

/** SQL of the name in a row's place that names a record, such as a state. */
export function placeName(cls: RecordClass, row = ''): string | null {
  const key = optionsOf(cls).searchedPlace?.named;
  return key ? `folded(nfc(${row}${columnOf(metaOf(cls), key).column}))` : null;
}

/** SQL of the indexes of both, by name. */
export const placeIndexes = (texts: readonly string[], name: string): Record<string, string> => ({
  place_text: `using gin (folded(nfc(${texts.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `)})) gin_trgm_ops)`,
  place_name: `(folded(nfc(${name})))`,
});

/** From this length on, a word is compared with parts of names and with names of other spelling. */
const looseFrom = 4;
const similar = 0.75;

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const isIn = (word: string, name: string): boolean => {
  const parts = folded(name).split(/\s+/);
  if (parts.includes(word)) return true;
  return word.length >= looseFrom && parts.some((part) => part.startsWith(word) || closeness(word, part) >= similar);
};

/** All names of the records, such as states, that have a word in one of their names. */
export async function namesWith(sql: Session, cls: RecordClass, word: string): Promise<string[]> {
  const key = optionsOf(cls).searchedPlace?.named;
  const named = key ? columnOf(metaOf(cls), key).field.named : undefined;
  if (!named) return [];
  const found = new Set<string>();
  for (const row of (await constantRows(sql, named.target())).values()) {
    const names = named.by.flatMap((name) => (row[name] === null ? [] : [String(row[name])]));
    if (names.some((name) => isIn(folded(word), name))) for (const name of names) found.add(folded(name));
  }
  return [...found];
}
