import type { RecordClass } from '../declare/meta.js';
import { inNfc } from '../declare/nfc.js';
import type { Condition } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';
import type { Param } from '../declare/row.js';
import { conditionByNames, type NameTerms, termsOfNames, termsOfRow } from './name-table.js';

/** Minimum length of a word that is searched individually. */
export const wordFrom = 3;

/** Whether a text has such words. */
export const hasWords = (text: string): boolean => wordsIn(inNfc(text)).length > 0;

const wordsIn = (text: string): string[] => [...new Set(text.split(/\s+/))].filter((word) => word.length >= wordFrom);
/** Maximum number of words of a search. */
const mostWords = 12;
/** Maximum number of words for searches that allow one word to be missing. */
const mostRests = 6;

/** `like` pattern that matches a text anywhere. */
export const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** SQL conditions: all of the conditions, or at least one. */
const all = (conditions: readonly string[]): string => `(${conditions.join(' and ')})`;
const some = (conditions: readonly string[]): string => `(${conditions.join(' or ')})`;

/** SQL conditions on a name, by precision of the match. */
interface Asked {
  /** The name contains the exact search text. */
  holds: string;
  /** Like `holds`, but PostgreSQL looks up the words when it plans the query. */
  planned: string;
  /** Each search word is in the name, at least as a part of a word. */
  named: string;
  /** Like `named`, but each word may differ in one letter: added, missing, replaced or moved. */
  close: string;
  /** Like `close`, but a search word without a close match may match similar words. */
  near: string;
  /** All words but one are in the name, and they have at least half of the letters. Null for a single word or more than `mostRests` words. */
  most: string | null;
}

/** Returns a function that builds the conditions for the terms of a name. The parameters are added only once. */
function asked(cls: RecordClass, words: readonly string[], text: string, param: Param): (terms: NameTerms) => Asked {
  const functions = `${param.table(optionsOf(cls).wordTable ?? '')}s`;
  const folded = (given: string) => `folded(${param(given)}::text)`;
  const lists = words.map((word) => {
    const named = `${functions}_named(${folded(anywhere(word))})`;
    const [close, near] = ['close', 'near'].map((how) => `${functions}_${how}(${folded(word)})`);
    return {
      named: `(select ${named})`,
      close: `(select ${named} || ${close})`,
      near: `(select coalesce(nullif(${named} || ${close}, '{}'), ${near}))`,
      planned: named,
    };
  });
  const phrase = folded(text);
  const rests = words.map((_, index) => words.filter((_, at) => at !== index));
  return ({ name, words: own }) => {
    const each = (how: keyof (typeof lists)[0]) => lists.map((list) => `${own} && ${list[how]}`);
    // Not `like`, because PostgreSQL would also use the trigram index, which is much slower than the word lookup.
    const stands = `strpos(${name}, ${phrase}) > 0`;
    const named = each('named');
    const parts = rests.flatMap((rest, index) =>
      2 * rest.join('').length >= words.join('').length ? [all(named.filter((_, at) => at !== index))] : [],
    );
    return {
      holds: all([stands, ...named]),
      planned: all([stands, ...each('planned')]),
      named: all(named),
      close: all(each('close')),
      near: all(each('near')),
      most: words.length > 1 && words.length <= mostRests ? some(parts) : null,
    };
  };
}

/**
 * SQL condition: rows whose name matches a search. Matches are ordered by precision: exact text, all words, words with one letter changed, similar
 * words, words with half of the letters. If the first ones fill a page, the others are not evaluated. Within each level, shorter names come first.
 * Words are looked up in the list of all distinct words of names, which is short, and rows by these words.
 */
export function searchingWords(cls: RecordClass, given: string, param: Param): Condition & object {
  const text = inNfc(given).trim();
  const isOne = !/\s/.test(text);
  const words = wordsIn(text).slice(0, mostWords);
  const conditions = asked(cls, words, text, param);
  const more = ({ name }: NameTerms) => `least(length(${name}), 999) / 1000.0::float8`;
  // For a single word, `named` equals `holds`.
  const kindsOf = ({ named, close, near, most }: Asked) => [...(isOne ? [] : [named]), close, near, ...(most ? [most] : [])];
  const rank = (terms: NameTerms) => {
    const asked = conditions(terms);
    const ranks = kindsOf(asked).map((kind, index) => `when ${kind} then ${index + 1} + ${more(terms)}`);
    return `(case when ${asked.holds} then 0 ${ranks.join(' ')} end)::float8`;
  };
  const names = termsOfNames(cls);
  const overNames = conditions(names);
  const { holds, planned, near, most } = overNames;
  const kinds = kindsOf(overNames);
  return {
    ...conditionByNames(cls, param, most ? some([near, most]) : near),
    branches: [
      isOne ? { where: planned, rank: 0 } : { where: holds, rank: 0, isFew: true as const },
      ...kinds.map((kind, index) => ({
        where: `${kind} and not ${kinds[index - 1] ?? holds}`,
        ranked: `(${index + 1} + ${more(names)})`,
        isFew: true as const,
      })),
    ],
    rank: () => ({ sql: rank(termsOfRow(cls, param.row)), names: rank(names) }),
  };
}
