import { z } from 'zod';
import { reject } from './errors.js';
import type { Form } from './meta.js';
import { inNfc } from './nfc.js';

const address = z.email().max(254);

/** Normalizes an e-mail address for storage and comparison: NFC, lower case. */
export const folded = (email: string): string => inNfc(email).toLowerCase();

/** Required format of an e-mail address. */
export const emailForm: Form = {
  fits: (text) => address.safeParse(text).success,
  expected: 'an e-mail address such as ana@example.com',
};

/** Throws BAD_INPUT for `field` if the text is not an e-mail address. */
export function checkEmail(email: string, field: string): void {
  if (!emailForm.fits(email)) reject(field, emailForm.expected);
}
