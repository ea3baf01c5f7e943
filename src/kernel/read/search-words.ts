import type { RecordClass } from '../declare/meta.js';
import { inNfc } from '../declare/nfc.js';
import type { Condition } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';
import type { Param } from '../declare/row.js';
import { byNames, type NameTerms, termsOfNames, termsOfRow } from './name-table.js';

/** From so many letters on, a word is looked for by itself. */
export const wordFrom = 3;

/** Whether a text has words that are. */
export const hasWords = (text: string): boolean => wordsIn(inNfc(text)).length > 0;

const wordsIn = (text: string): string[] => [...new Set(text.split(/\s+/))].filter((word) => word.length >= wordFrom);
/** Most words that are. */
const mostWords = 12;
/** Most words of which one may be missing. */
const mostRests = 6;

/** SQL of a pattern that finds a text anywhere. */
export const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** SQL that holds where all, or some, of some conditions do. */
const all = (conditions: readonly string[]): string => `(${conditions.join(' and ')})`;
const some = (conditions: readonly string[]): string => `(${conditions.join(' or ')})`;

/** SQL conditions on a name. */
interface Asked {
  /** It has the text as it was given. */
  holds: string;
  /** The same, for the plan of which PostgreSQL looks up the words before. */
  planned: string;
  /** It has each of the words, or parts of its words are. */
  named: string;
  /** It has each of the words, with a letter more, less, another one or at another place. */
  close: string;
  /** It has each of the words; of those to which no word comes as close, similar ones. */
  near: string;
  /** It has all of the words but for one, and these make up half of what was asked for; null for one word, and for very many. */
  most: string | null;
}

/** Builds these conditions for the terms of a name. The values are added once. */
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
    // No `like`: an index of groups of letters would be asked, too, which takes far longer than the words.
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
 * SQL: rows whose name holds the text as it is given, or all of its words in some place, or all of them but for a letter, or similar ones, or
 * words that make up half of it; in this order, so that the others need not be looked at where the first ones fill a page, and what else a
 * name has counts within each. The words are looked for among those of all names, of which there are few, and the rows by these.
 */
export function searchingWords(cls: RecordClass, given: string, param: Param): Condition & object {
  const text = inNfc(given).trim();
  const isOne = !/\s/.test(text);
  const words = wordsIn(text).slice(0, mostWords);
  const conditions = asked(cls, words, text, param);
  const more = ({ name }: NameTerms) => `least(length(${name}), 999) / 1000.0::float8`;
  // A part of a single word is always in the name as it was given.
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
    ...byNames(cls, param, most ? some([near, most]) : near),
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
