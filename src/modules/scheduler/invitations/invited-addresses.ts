import type { Values } from '../../../kernel/declare/fields/options.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';

/** Invited addresses in the input of a game. */
export const addressesIn = (invitedEmails: unknown): string[] => (Array.isArray(invitedEmails) ? invitedEmails.map(String) : []);

interface InvitedIdentifiers {
  invitedIds: string[];
  invitedEmails: string[];
}

interface DeclinedIdentifiers {
  declinedIds: readonly string[];
  declinedEmails: readonly string[];
}

/** Invited users and addresses after a write of these values. Invitees that declined stay declined. */
export const invitedIn = (input: Values, before: InvitedIdentifiers & DeclinedIdentifiers): InvitedIdentifiers => ({
  invitedIds:
    input.invitedIds === undefined
      ? before.invitedIds
      : addressesIn(input.invitedIds).filter((id) => !before.declinedIds.includes(id)),
  invitedEmails:
    input.invitedEmails === undefined
      ? before.invitedEmails
      : addressesIn(input.invitedEmails).filter((email) => !before.declinedEmails.includes(normalizeEmail(email))),
});

/** Distinct addresses in lower case. */
export const distinctAddresses = (addresses: readonly string[]): string[] => [...new Set(addresses.map(normalizeEmail))];
