import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

const checker = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
const commonPasswords: ReadonlySet<unknown> = new Set(dictionary['passwords-common']);

/** Maximum number of digits and symbols before and after a word that count as decoration, such as `1!` or `2026`. */
const maxDecoration = 7;

/** Words that many users of this service choose. */
const serviceWords = ['courtside', 'pickleball', 'tennis', 'padel', 'badminton', 'squash'];

/** Returns normalized forms of a password: in lower case without spaces, without decoration, and reduced to the unit that it repeats. */
function variantsOf(password: string): readonly string[] {
  const text = password.normalize('NFKC').toLowerCase().replace(/\s+/gu, '');
  const word = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const variants = text.length - word.length <= maxDecoration ? [text, word] : [text];
  return variants.flatMap((variant) => [variant, /^(.{3,}?)\1+$/u.exec(variant)?.[1] ?? variant]);
}

/** Whether a password is common, repetitive, sequential, or derived from `personalWords` such as the name of the user (NIST SP 800-63B). */
export function isWeakPassword(password: string, personalWords: readonly string[]): boolean {
  const words = new Set([...serviceWords, ...personalWords].map((text) => text.toLowerCase()));
  return (
    variantsOf(password).some((variant) => commonPasswords.has(variant) || words.has(variant)) ||
    checker.check(password, [...words]).score === 0
  );
}
