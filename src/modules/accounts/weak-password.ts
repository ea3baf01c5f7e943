import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

const checker = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
const commonPasswords: ReadonlySet<unknown> = new Set(dictionary['passwords-common']);

/** Most characters that make a password out of a word, such as `1!` or `2026`. They do not make it hard to guess. */
const maxDecoration = 4;

/** A password in lower case, without and with the few digits and signs before and after its letters. */
function variantsOf(password: string): readonly string[] {
  const text = password.toLowerCase();
  const word = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return text.length - word.length <= maxDecoration ? [text, word] : [text];
}

/**
 * Whether a password is common, repetitive or sequential, or is made of the texts given, such as the name of the user (NIST SP 800-63B).
 */
export function isWeak(password: string, known: readonly string[]): boolean {
  const words = new Set(['courtside', ...known].map((text) => text.toLowerCase()));
  return (
    variantsOf(password).some((variant) => commonPasswords.has(variant) || words.has(variant)) ||
    checker.check(password, [...words]).score === 0
  );
}
