import { z } from 'zod';
import type { Form } from '../../kernel/declare/meta.js';

const address = z.email().max(254);

/** The form of an address to which a partner is invited. */
export const addressForm: Form = {
  fits: (text) => address.safeParse(text).success,
  expected: 'an e-mail address such as ana@example.com',
};

/** An address as users have theirs: in NFC and in lower case. */
export const folded = (email: string): string => email.normalize('NFC').toLowerCase();
