import { pseudonymForm } from '../traffic/pseudonyms.js';

/** What stands in a file for tokens, and the tokens that were given for it. */
export interface Tokens {
  /** The one that stands for a pseudonym. */
  of(pseudonym: string): string | undefined;
  /** The pseudonyms of a text for which nothing was given. */
  missing(text: string): string[];
}

const spelled = (pseudonym: string) => pseudonym.replace('redacted-', '').toUpperCase().replace('-', '_');

/** Which of both servers is meant. */
export type Side = 'old' | 'new';

/** For one of the servers: those that are meant for it only, and of one name and number, before those of the name. */
export function tokensOf(given: ReadonlyMap<string, string>, side: Side): Tokens {
  const named = (name: string) => given.get(`${side.toUpperCase()}_${name}`) ?? given.get(name);
  const tokenOf = (pseudonym: string) => named(spelled(pseudonym)) ?? named(spelled(pseudonym).replace(/_\d+$/, ''));
  return {
    of: tokenOf,
    missing: (text) => (text.match(pseudonymForm) ?? []).filter((pseudonym) => tokenOf(pseudonym) === undefined),
  };
}
