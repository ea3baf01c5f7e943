import { pseudonymForm } from '../recording/pseudonyms.js';

/** Tokens that replace the pseudonyms of a recording. */
export interface Tokens {
  /** The token for a pseudonym. */
  tokenFor(pseudonym: string): string | undefined;
  /** Pseudonyms in a text that have no token. */
  missingTokens(text: string): string[];
}

const variableName = (pseudonym: string) => pseudonym.replace('redacted-', '').toUpperCase().replace('-', '_');

export type Side = 'old' | 'new';

/** Tokens for one server. Tokens for this server only, and tokens with a number, take precedence. */
export function tokensOf(tokens: ReadonlyMap<string, string>, side: Side): Tokens {
  const find = (name: string) => tokens.get(`${side.toUpperCase()}_${name}`) ?? tokens.get(name);
  const tokenOf = (pseudonym: string) => find(variableName(pseudonym)) ?? find(variableName(pseudonym).replace(/_\d+$/, ''));
  return {
    tokenFor: tokenOf,
    missingTokens: (text) => (text.match(pseudonymForm) ?? []).filter((pseudonym) => tokenOf(pseudonym) === undefined),
  };
}
