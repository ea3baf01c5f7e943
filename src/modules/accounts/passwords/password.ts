import { hash } from '@node-rs/argon2';
import { reject } from '../../../kernel/declare/errors.js';
import { verificationOf } from './hashes/stored-hash.js';
import { defaultPasswordCost, type PasswordCost } from './password-cost.js';
import { hasValidPasswordLength, passwordLength } from './password-length.js';

/** Hashes a password or a short code with argon2id, in a background thread. */
export const hashPassword = (password: string, { memory, passes }: PasswordCost = defaultPasswordCost): Promise<string> =>
  hash(password, { memoryCost: memory, timeCost: passes, parallelism: 1, outputLen: 32 });

/** Hashes of random text, keyed by cost. No password matches them. */
const dummyHashes = new Map<string, Promise<string>>();

function dummyHashFor(cost: PasswordCost): Promise<string> {
  const key = `${cost.memory} ${cost.passes}`;
  const dummyHash = dummyHashes.get(key) ?? hashPassword(crypto.randomUUID(), cost);
  dummyHashes.set(key, dummyHash);
  return dummyHash;
}

/**
 * Verifies a password. Without a stored hash in a supported format, verifies the password against a dummy hash, so that the response time
 * does not reveal whether a password is set.
 */
export async function verifyPassword(
  storedHash: string | null,
  password: string,
  cost: PasswordCost = defaultPasswordCost,
): Promise<boolean> {
  const isShortEnough = password.length <= passwordLength.max;
  const verifyStored = storedHash === null ? null : verificationOf(storedHash, cost);
  const verify = verifyStored ?? verificationOf(await dummyHashFor(cost), cost);
  const isMatch = await verify?.(isShortEnough ? password : '');
  return isMatch === true && isShortEnough && verifyStored !== null;
}

/** Personal data that other people may know. A new password must not consist of it. */
interface PersonalData {
  readonly email?: string | null;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
}

/** Whether a password is easy to guess. The word list is loaded when it is first needed. */
async function isEasyToGuess(password: string, { email, firstName, lastName }: PersonalData): Promise<boolean> {
  const { isWeakPassword } = await import('./weak-password.js');
  const texts = [email ?? '', email?.split('@')[0] ?? '', firstName ?? '', lastName ?? ''];
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}]+/u)]).filter((text) => text !== '');
  return isWeakPassword(password, words);
}

/** Whether a new password has the wrong length or is easy to guess. */
export const isUnacceptablePassword = async (password: string, personal: PersonalData): Promise<boolean> =>
  !hasValidPasswordLength(password) || (await isEasyToGuess(password, personal));

/** Throws BAD_INPUT for `field` if a new password is easy to guess. */
export async function checkNotWeak(password: string, personal: PersonalData, field: string): Promise<void> {
  // `checkPassword` rejects a wrong length.
  if (hasValidPasswordLength(password) && (await isEasyToGuess(password, personal)))
    reject(field, 'a password that is harder to guess');
}

/** Throws BAD_INPUT for `field` if a new password has the wrong length. */
export function checkPassword(password: string, field: string): void {
  if (!hasValidPasswordLength(password)) reject(field, `${passwordLength.min} to ${passwordLength.max} characters`);
}
