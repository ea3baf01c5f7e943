/** A name of the graph as words, for descriptions: `tournamentReferees` → `tournament referees`, `allRankingPoints` → `ranking points`. */
export const worded = (name: string): string =>
  name.replace(/^all(?=[A-Z])/, '').replace(/(?<=[a-z])[A-Z]|^[A-Z]/g, (letter, at) => `${at ? ' ' : ''}${letter.toLowerCase()}`);

/** One of them, with its article, which plurals lack: `an event`, `a user`, `ranking points`. */
export function one(name: string): string {
  const words = worded(name);
  if (words.endsWith('s')) return words;
  return `${/^[aeio]/.test(words) ? 'an' : 'a'} ${words}`;
}

/** A column's key as one name: `location.city` → `locationCity`. */
export const oneName = (key: string): string => key.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A whole number as it is read: `10,000`. Node loads the rules of all languages for its own way. */
export const grouped = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
