import { createHash, randomBytes, randomInt } from 'node:crypto';

/** What every publishable key begins with, and no token that this service makes. */
const keyPrefix = 'pk_';

const randomText = (): string => randomBytes(32).toString('base64url');

/** Whether a text looks like a publishable key. Tokens that platforms have chosen may look so, too. */
export const isKey = (text: string): boolean => text.startsWith(keyPrefix);

/** A new token: 32 random bytes, as text that fits into headers and links. */
export function newToken(): string {
  const token = randomText();
  // One in 262,144 would be taken for a key.
  return isKey(token) ? newToken() : token;
}

/** A new publishable key: a prefix to recognise it by, and 32 random bytes. */
export const newKey = (): string => `${keyPrefix}${randomText()}`;

/** A new code of six digits, which a person can type. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** What is kept of a token, and looked up: nobody can get back from it. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
