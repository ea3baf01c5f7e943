import { z } from 'zod';
import type { Form } from '../../kernel/declare/meta.js';
import type { Values } from '../../kernel/declare/options.js';

const address = z.email().max(254);

/** The form of an address that is invited. */
export const addressForm: Form = {
  fits: (text) => address.safeParse(text).success,
  expected: 'an e-mail address such as ana@example.com',
};

/** The addresses that a game is sent with, none where there are none. */
export const addressesIn = (invitedEmails: unknown): string[] => (Array.isArray(invitedEmails) ? invitedEmails.map(String) : []);

interface Named {
  invitedIds: string[];
  invitedEmails: string[];
}

/** Whom a game names by id and by address once it is written with these values. */
export const invitedIn = (input: Values, before: Named): Named => ({
  invitedIds: input.invitedIds === undefined ? before.invitedIds : addressesIn(input.invitedIds),
  invitedEmails: input.invitedEmails === undefined ? before.invitedEmails : addressesIn(input.invitedEmails),
});

/** Addresses as they are compared: in lower case, each once. */
export const folded = (addresses: readonly string[]): string[] => [...new Set(addresses.map((address) => address.toLowerCase()))];
