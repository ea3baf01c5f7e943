import { hash, verify } from '@node-rs/argon2';
import { reject } from '../../kernel/declare/errors.js';
import { defaultPasswordCost, type PasswordCost } from './password-cost.js';

const minLength = 8;
const maxLength = 200;

/** Hashes a password, or a short code that could be guessed, with argon2id in a background thread. */
export const hashPassword = (password: string, { memory, passes }: PasswordCost = defaultPasswordCost): Promise<string> =>
  hash(password, { memoryCost: memory, timeCost: passes, parallelism: 1, outputLen: 32 });

/** Hashes of random text by cost. They match no password. */
const dummyHashes = new Map<string, Promise<string>>();

function dummyHash(cost: PasswordCost): Promise<string> {
  const key = `${cost.memory} ${cost.passes}`;
  const existing = dummyHashes.get(key);
  if (existing) return existing;
  const created = hashPassword(crypto.randomUUID(), cost);
  dummyHashes.set(key, created);
  return created;
}

/** Checks a password against a stored hash. Without a hash it verifies a dummy, so that the duration does not reveal whether a password is set. */
export async function verifyPassword(
  storedHash: string | null,
  password: string,
  cost: PasswordCost = defaultPasswordCost,
): Promise<boolean> {
  const isShortEnough = password.length <= maxLength;
  const isMatch = await verify(storedHash ?? (await dummyHash(cost)), isShortEnough ? password : '');
  return isMatch && isShortEnough && storedHash !== null;
}

/** Rejects a new password of the wrong length. The error names the field. */
export function checkPassword(password: string, field: string): void {
  if (password.length < minLength || password.length > maxLength) reject(field, `${minLength} to ${maxLength} characters`);
}
