import { createHash, randomBytes, randomInt } from 'node:crypto';

/** Prefix of publishable keys. Tokens that this service creates never have it. */
const keyPrefix = 'pk_';

const randomText = (): string => randomBytes(32).toString('base64url');

/** Whether a string has the prefix of publishable keys. Tokens that platforms issue may also have it. */
export const hasKeyPrefix = (text: string): boolean => text.startsWith(keyPrefix);

/** Creates a token: 32 random bytes in base64url. */
export function newToken(): string {
  const token = randomText();
  // One in 262,144 random tokens starts with the prefix of keys by chance.
  return hasKeyPrefix(token) ? newToken() : token;
}

/** Creates a publishable key: the prefix and 32 random bytes in base64url. */
export const newKey = (): string => `${keyPrefix}${randomText()}`;

/** Creates a code of six digits. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** Returns the SHA-256 hash of a token in base64url. The database stores and looks up tokens by their hash. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Returns the first characters of a platform token, by which people recognize it. */
export const tokenHintOf = (token: string): string => token.slice(0, 4);

/** Returns the first characters of a publishable key: the prefix of all keys and four more characters. */
export const keyHintOf = (key: string): string => key.slice(0, keyPrefix.length + 4);
