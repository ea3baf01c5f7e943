import { z } from 'zod';
import { reject } from '../../kernel/declare/errors.js';
import { inNfc } from '../../kernel/declare/nfc.js';

const address = z.email().max(254);

/** An e-mail address as it is kept and compared: in NFC and in lower case. */
export const folded = (email: string): string => inNfc(email).toLowerCase();

/** Checks the form of an e-mail address and folds it; the message names the field. */
export const checkEmail = (email: string, field = 'input.email'): string =>
  address.safeParse(email).success ? folded(email) : reject(field, 'an e-mail address such as ana@example.com');
