import { hash, verify } from '@node-rs/argon2';
import { reject } from '../../kernel/declare/errors.js';

const longest = 200;

/** argon2id, which is the package's default; 19 MiB and two passes, off the main thread. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** Verified where there is no password, so that the time taken tells nothing; it is the hash of a text that nobody knows. */
const dummy = hash(crypto.randomUUID(), cost);

/** A password, or a code that is short enough to be guessed, as it is kept. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** Whether it is the password; takes as long where there is none. */
export async function verifyPassword(kept: string | null, password: string): Promise<boolean> {
  const fits = password.length <= longest;
  const right = await verify(kept ?? (await dummy), fits ? password : '');
  return right && fits && kept !== null;
}

/** Holds a new password to its length; the message names the field. */
export function checkPassword(password: string, field: string): void {
  if (password.length < 8 || password.length > longest) reject(field, `8 to ${longest} characters`);
}
