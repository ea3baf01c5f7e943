import type { Condition } from '../../declare/fields/options.js';
import type { RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import type { Param } from '../../declare/row.js';
import { containsPattern, toNfc } from '../../declare/scalars/text.js';
import { conditionByNames, type NameTerms, termsOfNames, termsOfRow } from './name-table.js';

/** Minimum length of a word that is searched individually. */
export const minWordLength = 3;

/** Whether a text contains words of at least `minWordLength` characters. */
export const hasWords = (text: string): boolean => wordsIn(toNfc(text)).length > 0;

const wordsIn = (text: string): string[] => [...new Set(text.split(/\s+/))].filter((word) => word.length >= minWordLength);
/** Maximum number of words in a search. */
const maxWords = 12;
/** Maximum number of words in a search that also matches names in which one of the words is missing. */
const maxWordsWithOmission = 6;

const allOf = (conditions: readonly string[]): string => `(${conditions.join(' and ')})`;
const anyOf = (conditions: readonly string[]): string => `(${conditions.join(' or ')})`;

/** SQL conditions on a name, from the most to the least precise match. */
interface MatchConditions {
  /** The name contains the exact search text. */
  exactText: string;
  /** Like `exactText`, but PostgreSQL looks up the words when it plans the query. */
  exactTextPlanned: string;
  /** Each search word is part of a word of the name. */
  allWords: string;
  /** Like `allWords`, but one letter of each word may be added, missing, replaced or moved. */
  closeWords: string;
  /** Like `closeWords`, but a search word without a close match may match similar words. */
  similarWords: string;
  /**
   * The name contains all search words except one, with at least half of the letters. Null for a single word, and for more than
   * `maxWordsWithOmission`.
   */
  mostWords: string | null;
}

/** Returns a function that builds the conditions for a search on a name. Adds the values of the search to the statement only once. */
function matchConditions(
  cls: RecordClass,
  words: readonly string[],
  text: string,
  param: Param,
): (terms: NameTerms) => MatchConditions {
  const functions = `${param.table(optionsOf(cls).wordTable ?? '')}s`;
  const foldedParam = (value: string) => `unaccent_lower(${param(value)}::text)`;
  const wordLists = words.map((word) => {
    const containing = `${functions}_named(${foldedParam(containsPattern(word))})`;
    const [close, similar] = ['close', 'near'].map((suffix) => `${functions}_${suffix}(${foldedParam(word)})`);
    return {
      exact: `(select ${containing})`,
      close: `(select ${containing} || ${close})`,
      similar: `(select coalesce(nullif(${containing} || ${close}, '{}'), ${similar}))`,
      planned: containing,
    };
  });
  const phrase = foldedParam(text);
  const wordsWithoutOne = words.map((_, omittedIndex) => words.filter((_, index) => index !== omittedIndex));
  return ({ name, words: nameWords }) => {
    const conditionsOf = (precision: keyof (typeof wordLists)[0]) =>
      wordLists.map((list) => `${nameWords} && ${list[precision]}`);
    // `strpos` instead of `like`, because PostgreSQL would use the trigram index for `like`, which is much slower than the word lookup.
    const containsPhrase = `strpos(${name}, ${phrase}) > 0`;
    const wordConditions = conditionsOf('exact');
    const alternatives = wordsWithoutOne.flatMap((otherWords, omittedIndex) =>
      2 * otherWords.join('').length >= words.join('').length
        ? [allOf(wordConditions.filter((_, index) => index !== omittedIndex))]
        : [],
    );
    return {
      exactText: allOf([containsPhrase, ...wordConditions]),
      exactTextPlanned: allOf([containsPhrase, ...conditionsOf('planned')]),
      allWords: allOf(wordConditions),
      closeWords: allOf(conditionsOf('close')),
      similarWords: allOf(conditionsOf('similar')),
      mostWords: words.length > 1 && words.length <= maxWordsWithOmission ? anyOf(alternatives) : null,
    };
  };
}

/**
 * Returns the condition for rows whose name matches a search. Exact text comes first, then all words, words with one changed letter,
 * similar words, and most words. Within each level, shorter names come first. A level is evaluated only if the earlier ones do not fill the
 * page. The search looks up words in the short list of all distinct words in names, and then the rows that contain these words.
 */
export function wordSearchCondition(cls: RecordClass, search: string, param: Param): Condition & object {
  const text = toNfc(search).trim();
  const isSingleWord = !/\s/.test(text);
  const words = wordsIn(text).slice(0, maxWords);
  const conditions = matchConditions(cls, words, text, param);
  const lengthRank = ({ name }: NameTerms) => `least(length(${name}), 999) / 1000.0::float8`;
  // For a single word, `allWords` is equivalent to `exactText`.
  const inexactMatches = ({ allWords, closeWords, similarWords, mostWords }: MatchConditions) => [
    ...(isSingleWord ? [] : [allWords]),
    closeWords,
    similarWords,
    ...(mostWords ? [mostWords] : []),
  ];
  const rank = (terms: NameTerms) => {
    const match = conditions(terms);
    const ranks = inexactMatches(match).map((condition, index) => `when ${condition} then ${index + 1} + ${lengthRank(terms)}`);
    return `(case when ${match.exactText} then 0 ${ranks.join(' ')} end)::float8`;
  };
  const names = termsOfNames(cls);
  const nameTableConditions = conditions(names);
  const { exactText, exactTextPlanned, similarWords, mostWords } = nameTableConditions;
  const laterMatches = inexactMatches(nameTableConditions);
  return {
    ...conditionByNames(cls, param, mostWords ? anyOf([similarWords, mostWords]) : similarWords),
    branches: [
      isSingleWord ? { where: exactTextPlanned, rank: 0 } : { where: exactText, rank: 0, isSelective: true as const },
      ...laterMatches.map((condition, index) => ({
        where: `${condition} and not ${laterMatches[index - 1] ?? exactText}`,
        rowRank: `(${index + 1} + ${lengthRank(names)})`,
        isSelective: true as const,
      })),
    ],
    rank: () => ({ sql: rank(termsOfRow(cls, param.row)), names: rank(names) }),
  };
}
