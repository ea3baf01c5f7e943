import { pseudonymForm } from '../traffic/pseudonyms.js';

/** What stands in a file for tokens, and the tokens that were given for it. */
export interface Tokens {
  /** A text with the tokens in it. */
  into(text: string): string;
  /** The pseudonyms of a text for which nothing was given. */
  missing(text: string): string[];
}

const spelled = (pseudonym: string) => pseudonym.replace('redacted-', '').toUpperCase().replace('-', '_');

/** Those of one name and number first, then those of the name. */
export function tokensOf(given: ReadonlyMap<string, string>): Tokens {
  const tokenOf = (pseudonym: string) => given.get(spelled(pseudonym)) ?? given.get(spelled(pseudonym).replace(/_\d+$/, ''));
  return {
    into: (text) => text.replace(pseudonymForm, (pseudonym) => tokenOf(pseudonym) ?? pseudonym),
    missing: (text) => (text.match(pseudonymForm) ?? []).filter((pseudonym) => tokenOf(pseudonym) === undefined),
  };
}
