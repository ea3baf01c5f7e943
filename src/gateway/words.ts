import { maxTokens } from './limits.js';

/** What the servers say of a request, each in words of its own, and what is said of it here. */
const words: readonly (readonly [RegExp, string])[] = [
  [
    /^Syntax Error: Document contains more that \d+ tokens/,
    `the document has more than ${maxTokens} tokens: expected at most ${maxTokens}`,
  ],
  [/^(Unknown operation named|Must provide operation name)/, 'Could not determine what operation to execute.'],
  [/^GET requests only support query operations, not mutation/, 'Can only perform a mutation operation from a POST request.'],
];

/** An error about a request itself in the same words by both servers. */
export const inOneVoice = (message: string): string => words.find(([theirs]) => theirs.test(message))?.[1] ?? message;
