import { z } from 'zod';
import { reject } from './errors.js';
import type { Form } from './meta.js';
import { inNfc } from './nfc.js';

const address = z.email().max(254);

/** An e-mail address as it is kept and compared: in NFC and in lower case. */
export const folded = (email: string): string => inNfc(email).toLowerCase();

/** The form of an e-mail address. */
export const emailForm: Form = {
  fits: (text) => address.safeParse(text).success,
  expected: 'an e-mail address such as ana@example.com',
};

/** Checks the form of an e-mail address; the message names the field. */
export function checkEmail(email: string, field: string): void {
  if (!emailForm.fits(email)) reject(field, emailForm.expected);
}
