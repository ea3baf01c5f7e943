import { pseudonymPattern } from '../recording/pseudonyms.js';

/** Tokens that replace the pseudonyms of a recording. */
export interface Tokens {
  /** Returns the token of a pseudonym. Undefined if there is none. */
  tokenFor(pseudonym: string): string | undefined;
  /** Returns the pseudonyms in a text that have no token. */
  missingTokens(text: string): string[];
}

const variableName = (pseudonym: string) => pseudonym.replace('redacted-', '').toUpperCase().replace('-', '_');

export type Side = 'old' | 'new';

/** Returns the tokens of one server. Tokens with the name of the server or with a number take precedence. */
export function tokensOf(tokens: ReadonlyMap<string, string>, side: Side): Tokens {
  const find = (name: string) => tokens.get(`${side.toUpperCase()}_${name}`) ?? tokens.get(name);
  const tokenOf = (pseudonym: string) => find(variableName(pseudonym)) ?? find(variableName(pseudonym).replace(/_\d+$/, ''));
  return {
    tokenFor: tokenOf,
    missingTokens: (text) => (text.match(pseudonymPattern) ?? []).filter((pseudonym) => tokenOf(pseudonym) === undefined),
  };
}
