/** Splits a GraphQL name into words for descriptions, without a leading `all`: `tournamentReferees` into `tournament referees`. */
export const toWords = (name: string): string =>
  name
    .replace(/^all(?=[A-Z])/, '')
    .replace(/(?<=[a-z])[A-Z]|^[A-Z]/g, (letter, index) => `${index ? ' ' : ''}${letter.toLowerCase()}`);

/** Whether a GraphQL name is plural, such as `rankingPoints`. */
export const isPlural = (name: string): boolean => name.endsWith('s');

/** Splits a GraphQL name into words and, except for plurals, adds an article: `an event`, `a user`, `ranking points`. */
export function withArticle(name: string): string {
  const words = toWords(name);
  if (isPlural(name)) return words;
  return `${/^[aeio]/.test(words) ? 'an' : 'a'} ${words}`;
}

/**
 * Describes the list of related records on their parent: `Ranking points of the user.` for `rankingPoints` and `user`. The name of the
 * parent is not repeated: `Referees of the tournament.` for `tournamentReferees` and `tournament`.
 */
export function describeList(many: string, parent: string): string {
  const parentWords = toWords(parent);
  const words = toWords(many);
  const shortWords = words.startsWith(`${parentWords} `) ? words.slice(parentWords.length + 1) : words;
  return `${shortWords.charAt(0).toUpperCase()}${shortWords.slice(1)} of the ${parentWords}.`;
}

/** Converts a column key to camel case, for example `location.city` to `locationCity`. */
export const camelCaseKey = (key: string): string => key.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Formats an integer with thousands separators, such as `10,000`. `Intl` is not used, because it loads the data of all locales. */
export const formatInteger = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
