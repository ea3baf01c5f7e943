import { LockMode } from '@mikro-orm/core';
import { platformIdOf } from '../../kernel/declare/caller.js';
import type { Context } from '../../kernel/declare/context.js';
import { folded } from '../../kernel/declare/email.js';
import { codeOf } from '../../kernel/declare/errors.js';
import type { Values } from '../../kernel/declare/options.js';
import { allOfThese } from '../../kernel/declare/problems.js';
import { create } from '../../kernel/write/save.js';
import { touch } from '../../kernel/write/touch.js';
import { templates } from '../../messaging/ports.js';
import { type LinkTo, linkTo } from './links.js';
import { withMinimumDuration } from './minimum-duration.js';
import { checkNotWeak, hashPassword } from './password.js';
import { passwordCostOf } from './password-cost.js';
import { checkRegistration, profileOf, type RegisterInput } from './register-input.js';
import { takeMessage } from './take-message.js';
import { User } from './user.js';
import { mailVerification } from './verify-email.js';

/**
 * Registers a person: a stub of the user, and a mail that asks to confirm the address. Nothing but the mail tells whether
 * the address was known; until its link is opened nothing of an existing user changes.
 */
export async function signUp(context: Context, input: RegisterInput): Promise<void> {
  const [, , link] = await allOfThese(
    () => checkRegistration(input, 'input.'),
    () => checkNotWeak(input.password, input, 'input.password'),
    () => linkTo(context, 'verifyEmail', input.customUrl, 'input.customUrl'),
  );
  const email = folded(input.email);
  await takeMessage(context, email);
  await withMinimumDuration(context, async () => {
    const passwordHash = await hashPassword(input.password, passwordCostOf(context));
    await admit(context, { email, profile: profileOf(input), passwordHash, link });
  });
}

interface Application {
  email: string;
  profile: Values;
  passwordHash: string;
  link: LinkTo;
}

async function admit(context: Context, { email, profile, passwordHash, link }: Application): Promise<void> {
  const { sql, services } = context;
  await stub(context, { email, profile, passwordHash });
  await sql.transaction(async (em) => {
    const user = await em.findOne(User, { email }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user || user.verifiedAt) return services.outbox.enqueue(templates.accountExists({ to: email }), sql, 'counted');
    // The password of a stub is that of the last registration; one that a platform made has none until its owner confirms.
    if (user.passwordHash !== null && user.passwordHash !== passwordHash) {
      user.passwordHash = passwordHash;
      touch(context, user);
    }
    return mailVerification(context, user.id, { address: email, from: email, profile, passwordHash }, link);
  });
}

/** Makes the user unless there is one; two registrations at the same moment make one. */
async function stub(context: Context, { email, profile, passwordHash }: Omit<Application, 'link'>): Promise<void> {
  const { sql } = context;
  if (await sql.first(sql.db.selectFrom('app_user').select('id').where('email', '=', email))) return;
  const platformId = platformIdOf(context.caller);
  try {
    await create(context, User, { ...profile, email }, ['id'], { passwordHash, platformId });
  } catch (error) {
    if (codeOf(error) !== 'CONFLICT') throw error;
  }
}
