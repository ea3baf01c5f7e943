import {
  allOf,
  anyOf,
  constantSql,
  expression,
  joinExpressions,
  parameter,
  type RowReference,
  type SqlExpression,
  tableNamed,
} from '../../declare/expression.js';
import type { FilterCondition } from '../../declare/fields/options.js';
import type { RecordClass } from '../../declare/meta.js';
import { optionsOf } from '../../declare/record.js';
import { containsPattern, toNfc } from '../../declare/scalars/text.js';
import { conditionByNames, type NameTerms, nameTermsOfNameTable, nameTermsOfRow } from './name-table.js';

/** Minimum length of a word that is searched individually. */
export const minWordLength = 3;

/** Whether a text contains a word of at least `minWordLength` characters. */
export const hasWords = (text: string): boolean => wordsIn(toNfc(text)).length > 0;

const wordsIn = (text: string): string[] => [...new Set(text.split(/\s+/))].filter((word) => word.length >= minWordLength);
/** Maximum number of words in a search. */
const maxWords = 12;
/** Maximum number of words in a search that also finds names without one of these words. */
const maxWordsWithOmission = 6;

const conjunction = (conditions: readonly SqlExpression[]): SqlExpression => expression`(${allOf(conditions)})`;
const disjunction = (conditions: readonly SqlExpression[]): SqlExpression => expression`(${anyOf(conditions)})`;

/** SQL conditions on a name, from the most to the least precise match. */
interface MatchConditions {
  /** The name contains the exact search text. */
  exactText: SqlExpression;
  /** Like `exactText`, but PostgreSQL looks up the words when it plans the query. */
  exactTextPlanned: SqlExpression;
  /** Each search word is part of a word in the name. */
  allWords: SqlExpression;
  /** Like `allWords`, but one letter of each word may be added, missing, replaced or moved. */
  closeWords: SqlExpression;
  /** Like `closeWords`, but a search word without a close match may match similar words. */
  similarWords: SqlExpression;
  /**
   * The name contains all search words except one. The matching words have at least half of the letters in the search. Null for a single
   * word, and for more than `maxWordsWithOmission` words.
   */
  mostWords: SqlExpression | null;
}

/** Returns a function that builds the conditions for a search by name. */
function matchConditions(cls: RecordClass, words: readonly string[], text: string): (terms: NameTerms) => MatchConditions {
  const wordTable = tableNamed(optionsOf(cls).wordTable ?? '');
  const folded = (value: string) => expression`unaccent_lower(${parameter(value)}::text)`;
  const wordLists = words.map((word) => {
    const containing = expression`${wordTable}s_named(${folded(containsPattern(word))})`;
    const close = expression`${wordTable}s_close(${folded(word)})`;
    const similar = expression`${wordTable}s_near(${folded(word)})`;
    return {
      exact: expression`(select ${containing})`,
      close: expression`(select ${containing} || ${close})`,
      similar: expression`(select coalesce(nullif(${containing} || ${close}, '{}'), ${similar}))`,
      planned: containing,
    };
  });
  const phrase = folded(text);
  const wordsWithoutOne = words.map((_, omittedIndex) => words.filter((_, index) => index !== omittedIndex));
  return ({ name, words: nameWords }) => {
    const conditionsOf = (precision: keyof (typeof wordLists)[0]) =>
      wordLists.map((list) => expression`${nameWords} && ${list[precision]}`);
    // `strpos` instead of `like`, because PostgreSQL would use the trigram index for `like`, which is much slower than the word lookup.
    const containsPhrase = expression`strpos(${name}, ${phrase}) > 0`;
    const wordConditions = conditionsOf('exact');
    const alternatives = wordsWithoutOne.flatMap((otherWords, omittedIndex) =>
      2 * otherWords.join('').length >= words.join('').length
        ? [conjunction(wordConditions.filter((_, index) => index !== omittedIndex))]
        : [],
    );
    return {
      exactText: conjunction([containsPhrase, ...wordConditions]),
      exactTextPlanned: conjunction([containsPhrase, ...conditionsOf('planned')]),
      allWords: conjunction(wordConditions),
      closeWords: conjunction(conditionsOf('close')),
      similarWords: conjunction(conditionsOf('similar')),
      mostWords: words.length > 1 && words.length <= maxWordsWithOmission ? disjunction(alternatives) : null,
    };
  };
}

/**
 * Returns the condition for rows whose name matches a search. Exact matches come first, followed by names with all words, with words that
 * differ in one letter, with similar words, and with most words. Within each level, shorter names come first. A level is searched only if
 * the earlier levels do not fill the page. The search first looks up words in the short list of all distinct words in names, and then finds
 * the rows that contain these words.
 */
export function wordSearchCondition(cls: RecordClass, search: string, row: RowReference): FilterCondition {
  const text = toNfc(search).trim();
  const isSingleWord = !/\s/.test(text);
  const words = wordsIn(text).slice(0, maxWords);
  const conditions = matchConditions(cls, words, text);
  const lengthRank = ({ name }: NameTerms) => expression`least(length(${name}), 999) / 1000.0::float8`;
  const levelRank = (index: number, terms: NameTerms) => expression`${constantSql(index + 1)} + ${lengthRank(terms)}`;
  // For a single word, `allWords` is equivalent to `exactText`.
  const inexactMatches = ({ allWords, closeWords, similarWords, mostWords }: MatchConditions) => [
    ...(isSingleWord ? [] : [allWords]),
    closeWords,
    similarWords,
    ...(mostWords ? [mostWords] : []),
  ];
  const rank = (terms: NameTerms) => {
    const match = conditions(terms);
    const ranks = inexactMatches(match).map((condition, index) => expression`when ${condition} then ${levelRank(index, terms)}`);
    return expression`(case when ${match.exactText} then 0 ${joinExpressions(ranks, ' ')} end)::float8`;
  };
  const names = nameTermsOfNameTable(cls);
  const nameTableConditions = conditions(names);
  const { exactText, exactTextPlanned, similarWords, mostWords } = nameTableConditions;
  const laterMatches = inexactMatches(nameTableConditions);
  return {
    ...conditionByNames(cls, row, mostWords ? disjunction([similarWords, mostWords]) : similarWords),
    branches: [
      isSingleWord ? { where: exactTextPlanned, rank: 0 } : { where: exactText, rank: 0, isSelective: true as const },
      ...laterMatches.map((condition, index) => ({
        where: expression`${condition} and not ${laterMatches[index - 1] ?? exactText}`,
        rowRank: expression`(${levelRank(index, names)})`,
        isSelective: true as const,
      })),
    ],
    rank: () => ({ sql: rank(nameTermsOfRow(cls, row)), names: rank(names) }),
  };
}
