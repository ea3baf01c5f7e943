import { folded } from '../../kernel/declare/email.js';
import type { Values } from '../../kernel/declare/options.js';

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

/** Addresses as they are compared, each once. */
export const distinct = (addresses: readonly string[]): string[] => [...new Set(addresses.map(folded))];
