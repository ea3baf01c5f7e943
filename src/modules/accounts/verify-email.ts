import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../kernel/declare/context.js';
import { folded } from '../../kernel/declare/email.js';
import { now } from '../../kernel/declare/instant.js';
import { metaOf } from '../../kernel/declare/meta.js';
import { valuesOf } from '../../kernel/write/input-values.js';
import { refuseSame } from '../../kernel/write/save.js';
import { touch } from '../../kernel/write/touch.js';
import { templates } from '../../messaging/ports.js';
import { type LinkTo, linkTo } from './links.js';
import { withMinimumDuration } from './minimum-duration.js';
import { issueValue, spend, useValue, wrongValue } from './one-time.js';
import type { Confirmation } from './pending.js';
import { unverifiedUser } from './registration-sql.js';
import { takeMessage } from './take-message.js';
import { endTokensOf } from './tokens.js';
import { User } from './user.js';

/** Sends a link that confirms an address, in the transaction of the caller. */
export async function mailVerification(
  { sql, services }: Context,
  userId: string,
  confirmation: Confirmation,
  link: LinkTo,
): Promise<void> {
  const { value } = await issueValue(sql, 'verifyEmail', userId, confirmation);
  await services.outbox.enqueue(templates.emailValidation({ to: confirmation.address, link: link(value) }), sql, 'counted');
}

/** Opens such a link: the address is verified, and what was registered with it takes effect. The id of its user. */
export async function verifyEmail(context: Context, value: string): Promise<string> {
  const { sql, loaders, services } = context;
  const verified = await sql.transaction(async (em) => {
    const { userId, pending } = await useValue(sql, 'verifyEmail', value);
    const { address, from, profile = {}, passwordHash } = pending;
    const user = await em.findOne(User, { id: userId, email: from }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) return wrongValue();
    Object.assign(user, valuesOf(metaOf(User), profile), { email: address, verifiedAt: now() });
    if (passwordHash) Object.assign(user, { passwordHash, isPasswordUnproven: false });
    touch(context, user);
    await em.flush().catch((error: unknown) => refuseSame(User, error));
    // Whoever had a hold on the account before its owner came has none any more.
    await spend(sql, userId, passwordHash ? null : ['verifyEmail']);
    if (passwordHash) await endTokensOf(sql, userId);
    await services.addressProven(context, userId, address);
    return userId;
  });
  loaders.clear();
  services.identifier.forget();
  return verified;
}

/** Sends the link of the last registration again; the same answer for every address. */
export async function resendVerification(context: Context, email: string, customUrl: string | null | undefined): Promise<void> {
  const { sql } = context;
  const link = await linkTo(context, 'verifyEmail', customUrl);
  const address = folded(email);
  await takeMessage(context, address);
  await withMinimumDuration(context, () =>
    sql.transaction(async () => {
      const user = await unverifiedUser(sql, address);
      if (user) await mailVerification(context, user.id, { ...user.pending, address, from: address }, link);
    }),
  );
}
