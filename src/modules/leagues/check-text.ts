import { reject } from '../../kernel/declare/errors.js';
import { isLongerThan } from '../../kernel/declare/scalars/text.js';

/** Throws BAD_INPUT for `field` if the text is blank or longer than `maxLength` characters. */
export function checkText(field: string, text: string, maxLength: number): void {
  if (text.trim() === '') reject(field, 'a text that is not empty');
  if (isLongerThan(text, maxLength)) reject(field, `at most ${maxLength} characters`);
}
