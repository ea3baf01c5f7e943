import { defaultPasswordCost, type PasswordCost } from '../password-cost.js';
import { argon2 } from './argon2.js';
import { bcrypt } from './bcrypt.js';
import type { HashFormat, VerifyPassword } from './hash-format.js';
import { pbkdf2 } from './pbkdf2.js';
import { scrypt } from './scrypt.js';

const formats: readonly HashFormat[] = [argon2, bcrypt, pbkdf2, scrypt];

/** Maximum length of a stored hash in characters. */
const maxLength = 500;

const formatOf = (text: string): HashFormat | undefined =>
  text.length <= maxLength ? formats.find(({ prefix }) => prefix.test(text)) : undefined;

/**
 * Returns a function that verifies passwords against a stored hash. Null if the format of the hash is unknown, or if its parameters exceed
 * the limits.
 */
export const verificationOf = (storedHash: string, cost: PasswordCost): VerifyPassword | null =>
  formatOf(storedHash)?.read(storedHash, cost) ?? null;

/** Returns null for a supported password hash. Otherwise, returns the expected format as a noun phrase. */
export function passwordHashProblem(text: string): string | null {
  const format = formatOf(text);
  if (!format) return 'an argon2, bcrypt, PBKDF2 or scrypt hash of a password, or null for a user without a password';
  return format.read(text, defaultPasswordCost) ? null : format.expected;
}

/** Whether a stored hash differs in format from new hashes, or has a lower cost. */
export function isOutdatedHash(storedHash: string, { memory, passes }: PasswordCost): boolean {
  const [, storedMemory, storedPasses] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(storedHash) ?? [];
  return Number(storedMemory ?? 0) * Number(storedPasses ?? 0) < memory * passes;
}
