import { reject } from '../../kernel/declare/errors.js';
import { isLongerThan } from '../../kernel/declare/text-length.js';

/** Holds a message to its length; the error names the field. */
export function checkText(field: string, text: string, longest: number): void {
  if (text.trim() === '') reject(field, 'a text that is not empty');
  if (isLongerThan(text, longest)) reject(field, `at most ${longest} characters`);
}
