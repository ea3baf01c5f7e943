import type { RecordClass } from '../declare/meta.js';
import { toNfc } from '../declare/nfc.js';
import type { Condition } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';
import type { Param } from '../declare/row.js';
import { conditionByNames, type NameTerms, termsOfNames, termsOfRow } from './name-table.js';

/** Minimum length of a word that is searched individually. */
export const minWordLength = 3;

/** Whether a text has such words. */
export const hasWords = (text: string): boolean => wordsIn(toNfc(text)).length > 0;

const wordsIn = (text: string): string[] => [...new Set(text.split(/\s+/))].filter((word) => word.length >= minWordLength);
/** Maximum number of words of a search. */
const maxWords = 12;
/** Maximum number of words for searches that allow one word to be missing. */
const maxWordsWithRests = 6;

/** `like` pattern that matches a text anywhere. */
export const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** SQL conditions: all of the conditions, or at least one. */
const all = (conditions: readonly string[]): string => `(${conditions.join(' and ')})`;
const any = (conditions: readonly string[]): string => `(${conditions.join(' or ')})`;

/** SQL conditions on a name, by precision of the match. */
interface MatchConditions {
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
  /** All words but one are in the name, and they have at least half of the letters. Null for a single word or more than `maxWordsWithRests` words. */
  most: string | null;
}

/** Returns a function that builds the conditions for the terms of a name. The parameters are added only once. */
function matchConditions(
  cls: RecordClass,
  words: readonly string[],
  text: string,
  param: Param,
): (terms: NameTerms) => MatchConditions {
  const functions = `${param.table(optionsOf(cls).wordTable ?? '')}s`;
  const folded = (value: string) => `folded(${param(value)}::text)`;
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
  return ({ name, words: nameWords }) => {
    const conditionsOf = (how: keyof (typeof lists)[0]) => lists.map((list) => `${nameWords} && ${list[how]}`);
    // Not `like`, because PostgreSQL would also use the trigram index, which is much slower than the word lookup.
    const containsPhrase = `strpos(${name}, ${phrase}) > 0`;
    const named = conditionsOf('named');
    const parts = rests.flatMap((rest, index) =>
      2 * rest.join('').length >= words.join('').length ? [all(named.filter((_, at) => at !== index))] : [],
    );
    return {
      holds: all([containsPhrase, ...named]),
      planned: all([containsPhrase, ...conditionsOf('planned')]),
      named: all(named),
      close: all(conditionsOf('close')),
      near: all(conditionsOf('near')),
      most: words.length > 1 && words.length <= maxWordsWithRests ? any(parts) : null,
    };
  };
}

/**
 * SQL condition: rows whose name matches a search. Matches are ordered by precision: exact text, all words, words with one letter changed, similar
 * words, words with half of the letters. If the first ones fill a page, the others are not evaluated. Within each level, shorter names come first.
 * Words are looked up in the list of all distinct words of names, which is short, and rows by these words.
 */
export function wordSearchCondition(cls: RecordClass, search: string, param: Param): Condition & object {
  const text = toNfc(search).trim();
  const isOne = !/\s/.test(text);
  const words = wordsIn(text).slice(0, maxWords);
  const conditions = matchConditions(cls, words, text, param);
  const lengthRank = ({ name }: NameTerms) => `least(length(${name}), 999) / 1000.0::float8`;
  // For a single word, `named` equals `holds`.
  const kindsOf = ({ named, close, near, most }: MatchConditions) => [
    ...(isOne ? [] : [named]),
    close,
    near,
    ...(most ? [most] : []),
  ];
  const rank = (terms: NameTerms) => {
    const match = conditions(terms);
    const ranks = kindsOf(match).map((kind, index) => `when ${kind} then ${index + 1} + ${lengthRank(terms)}`);
    return `(case when ${match.holds} then 0 ${ranks.join(' ')} end)::float8`;
  };
  const names = termsOfNames(cls);
  const overNames = conditions(names);
  const { holds, planned, near, most } = overNames;
  const kinds = kindsOf(overNames);
  return {
    ...conditionByNames(cls, param, most ? any([near, most]) : near),
    branches: [
      isOne ? { where: planned, rank: 0 } : { where: holds, rank: 0, isFew: true as const },
      ...kinds.map((kind, index) => ({
        where: `${kind} and not ${kinds[index - 1] ?? holds}`,
        ranked: `(${index + 1} + ${lengthRank(names)})`,
        isFew: true as const,
      })),
    ],
    rank: () => ({ sql: rank(termsOfRow(cls, param.row)), names: rank(names) }),
  };
}
