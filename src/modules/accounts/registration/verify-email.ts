import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { now } from '../../../kernel/declare/scalars/instant.js';
import { touch } from '../../../kernel/write/entities.js';
import { valuesOf } from '../../../kernel/write/input-values.js';
import { failOnDuplicate } from '../../../kernel/write/save.js';
import { templates } from '../../../messaging/ports.js';
import { countMessage } from '../limits/limits.js';
import { type BuildLink, createLinkBuilder } from '../links.js';
import { withMinimumDuration } from '../sign-in/minimum-duration.js';
import { invalidateValues, issueValue, throwWrongValue, useValue } from '../tokens/one-time-values.js';
import { revokeTokensOf } from '../tokens/tokens.js';
import { User } from '../users/user.js';
import type { VerificationChanges } from './pending-changes.js';
import { unverifiedUser } from './registration-sql.js';
import { removeUnprovenPhone } from './unproven-phone.js';

/** Emails a verification link, in the open transaction. */
export async function mailVerification(
  { sql, services }: Context,
  userId: string,
  confirmation: VerificationChanges,
  link: BuildLink,
): Promise<void> {
  const { value } = await issueValue(sql, 'verifyEmail', userId, confirmation);
  await services.outbox.enqueue(templates.emailValidationMail({ to: confirmation.address, link: link(value) }), sql, 'counted');
}

/** Verifies an email address with the value of a link and applies the pending changes. Returns the ID of the user. */
export async function verifyEmail(context: Context, value: string): Promise<string> {
  const { sql, loaders, services } = context;
  const verifiedUserId = await sql.transaction(async (em) => {
    const { userId, pending } = await useValue(sql, 'verifyEmail', value);
    const { address, from, isUnproven, profile = {}, passwordHash } = pending;
    const user = await em.findOne(User, { id: userId, email: from }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) return throwWrongValue();
    // The link does not confirm a password that was set with a code, because the phone number may belong to somebody else.
    const removesPassword = !passwordHash && user.verifiedAt === null && user.isPasswordUnproven;
    removeUnprovenPhone(user);
    Object.assign(user, valuesOf(metaOf(User), profile), { email: address, verifiedAt: now() });
    const revokesAccess = Boolean(passwordHash) || removesPassword;
    if (revokesAccess) Object.assign(user, { passwordHash: passwordHash ?? null, isPasswordUnproven: false });
    if (isUnproven) user.isEmailUnproven = true;
    touch(context, user);
    await em.flush().catch((error: unknown) => failOnDuplicate(User, error));
    // The verification of a registration revokes all access that others had to the account.
    await invalidateValues(sql, userId, revokesAccess ? null : ['verifyEmail']);
    if (revokesAccess) await revokeTokensOf(sql, userId);
    await services.onAddressVerified(context, userId, address);
    return userId;
  });
  loaders.clear();
  services.authenticator.clearCaches();
  return verifiedUserId;
}

/** Emails the link of the latest registration again. Does nothing if the address is verified or unknown. */
export async function resendVerification(context: Context, email: string, customUrl: string | null | undefined): Promise<void> {
  const { sql } = context;
  const link = await createLinkBuilder(context, 'verifyEmail', customUrl);
  const address = normalizeEmail(email);
  await countMessage(context, address);
  await withMinimumDuration(context, () =>
    sql.transaction(async () => {
      const user = await unverifiedUser(sql, address);
      if (user) await mailVerification(context, user.id, { ...user.pending, address, from: address }, link);
    }),
  );
}
