import { createHash, randomBytes, randomInt } from 'node:crypto';

/** A new token: 32 random bytes, as text that fits into headers and links. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** A new code of six digits, which a person can type. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** What is kept of a token, and looked up: nobody can get back from it. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
