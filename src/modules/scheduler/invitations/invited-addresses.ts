import type { Values } from '../../../kernel/declare/fields/options.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';

/** Returns the strings of a list in an input. Empty for null and absent values. */
export const stringsIn = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);

interface InvitedIdentifiers {
  invitedIds: string[];
  invitedEmails: string[];
}

interface DeclinedIdentifiers {
  declinedIds: readonly string[];
  declinedEmails: readonly string[];
}

/** Returns the invited users and addresses after an update. Invitees who declined stay declined. */
export const updatedInvitations = (input: Values, before: InvitedIdentifiers & DeclinedIdentifiers): InvitedIdentifiers => ({
  invitedIds:
    input.invitedIds === undefined
      ? before.invitedIds
      : stringsIn(input.invitedIds).filter((id) => !before.declinedIds.includes(id)),
  invitedEmails:
    input.invitedEmails === undefined
      ? before.invitedEmails
      : stringsIn(input.invitedEmails).filter((email) => !before.declinedEmails.includes(normalizeEmail(email))),
});

/** Returns the distinct addresses in lower case. */
export const distinctAddresses = (addresses: readonly string[]): string[] => [...new Set(addresses.map(normalizeEmail))];
