import type { User } from '../users/user.js';

/**
 * Removes the phone number of an account whose email address has not been verified. Call this when the owner of the mailbox proves the address.
 * A stranger may have registered the address with their own phone number, and could then reset the password with a code. Keeps the phone number
 * of an account without a password, because only a platform can have set it.
 */
export function removeUnprovenPhone(user: User): void {
  if (user.verifiedAt === null && user.passwordHash !== null) Object.assign(user, { phone: null, phoneCountryId: null });
}
