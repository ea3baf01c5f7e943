import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

const checker = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/**
 * Whether a password is guessed within a thousand attempts: a common one, a repeated or sequential one, or one that is made of the texts given,
 * such as the name of the user (NIST SP 800-63B).
 */
export const isWeak = (password: string, known: readonly string[]): boolean =>
  checker.check(password, ['courtside', ...known]).score === 0;
