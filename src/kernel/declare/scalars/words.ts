/** Splits a GraphQL name into words, for descriptions: `tournamentReferees` → `tournament referees`, `allRankingPoints` → `ranking points`. */
export const toWords = (name: string): string =>
  name
    .replace(/^all(?=[A-Z])/, '')
    .replace(/(?<=[a-z])[A-Z]|^[A-Z]/g, (letter, index) => `${index ? ' ' : ''}${letter.toLowerCase()}`);

/** The same with an indefinite article, except for plurals: `an event`, `a user`, `ranking points`. */
export function withArticle(name: string): string {
  const words = toWords(name);
  if (words.endsWith('s')) return words;
  return `${/^[aeio]/.test(words) ? 'an' : 'a'} ${words}`;
}

/** Converts a column key to camel case: `location.city` → `locationCity`. */
export const camelCaseKey = (key: string): string => key.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Formats an integer with thousands separators: `10,000`. Avoids `Intl`, which loads the data of all locales. */
export const formatInteger = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
