import { reject } from '../../kernel/declare/errors.js';

/** Holds a message to its length; the error names the field. */
export function checkText(field: string, text: string, longest: number): void {
  if (text.trim() === '') reject(field, 'a text that is not empty');
  if (text.length > longest) reject(field, `at most ${longest} characters`);
}
