import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

const checker = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
const commonPasswords: ReadonlySet<unknown> = new Set(dictionary['passwords-common']);

/** Maximum number of digits and signs around a word, such as `1!` or `2026`, that count as decoration. */
const maxDecoration = 4;

/** Password in lower case, with and without the digits and signs before and after its letters. */
function variantsOf(password: string): readonly string[] {
  const text = password.toLowerCase();
  const word = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return text.length - word.length <= maxDecoration ? [text, word] : [text];
}

/** Whether a password is common, repetitive, sequential, or derived from `known` texts such as the name of the user (NIST SP 800-63B). */
export function isWeak(password: string, personalWords: readonly string[]): boolean {
  const words = new Set(['courtside', ...personalWords].map((text) => text.toLowerCase()));
  return (
    variantsOf(password).some((variant) => commonPasswords.has(variant) || words.has(variant)) ||
    checker.check(password, [...words]).score === 0
  );
}
