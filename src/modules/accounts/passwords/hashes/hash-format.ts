import type { PasswordCost } from '../password-cost.js';

/** Verifies a password against a stored hash. */
export type VerifyPassword = (password: string) => Promise<boolean>;

/** Format of password hashes. */
export interface HashFormat {
  /** Matches the start of all hashes in this format. */
  readonly prefix: RegExp;
  /** Description of valid hashes, for error messages. */
  readonly expected: string;
  /**
   * Reads a hash. Returns null if it is malformed or if its parameters exceed the limits of the format. Without limits, the verification
   * of one imported hash could occupy a thread for minutes or exhaust the memory.
   */
  read(text: string, cost: PasswordCost): VerifyPassword | null;
}

/** Minimum and maximum lengths of salts and hashes, in bytes. A shorter hash could match a wrong password by chance. */
const [maxSaltLength, minHashLength, maxHashLength] = [64, 16, 64];

/** Decodes Base64 with or without padding. Accepts `.` instead of `+`, as passlib writes it. Returns null for other text. */
export function decodeBase64(text: string): Buffer | null {
  const base64 = text.replaceAll('.', '+').replace(/={0,2}$/, '');
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64').replace(/=+$/, '') === base64 ? bytes : null;
}

/** Decodes hexadecimal text in lower case. Returns null for other text. */
export function decodeHex(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'hex');
  return bytes.toString('hex') === text ? bytes : null;
}

/** Notation of a hash. The pattern has the groups `salt` and `hash`. */
export interface HashNotation {
  readonly pattern: RegExp;
  readonly salt: (text: string) => Buffer | null;
  readonly hash: (text: string) => Buffer | null;
}

interface HashParts {
  /** Groups of the pattern. */
  readonly groups: Readonly<Record<string, string | undefined>>;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** Reads a hash with the first notation that matches. Returns null if no notation matches, or if the salt or hash has a wrong length. */
export function readParts(notations: readonly HashNotation[], text: string): HashParts | null {
  for (const notation of notations) {
    const groups = notation.pattern.exec(text)?.groups;
    if (!groups) continue;
    const [salt, hash] = [notation.salt(groups.salt ?? ''), notation.hash(groups.hash ?? '')];
    const isValid = salt && hash && salt.length <= maxSaltLength && hash.length >= minHashLength && hash.length <= maxHashLength;
    return isValid ? { groups, salt, hash } : null;
  }
  return null;
}
