import { z } from 'zod';
import { reject } from '../errors.js';
import type { TextFormat } from '../meta.js';
import { toNfc } from './text.js';

const address = z.email().max(254);

/** Normalizes an email address to NFC and lower case, for storage and comparison. */
export const normalizeEmail = (email: string): string => toNfc(email).toLowerCase();

/** Required format of an email address. */
export const emailFormat: TextFormat = {
  matches: (text) => address.safeParse(text).success,
  expected: 'an e-mail address such as ana@example.com',
};

/** Throws BAD_INPUT for `field` if the text is not an email address. */
export function checkEmail(email: string, field: string): void {
  if (!emailFormat.matches(email)) reject(field, emailFormat.expected);
}
