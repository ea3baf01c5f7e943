import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { codeOf } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { platformIdOf } from '../../../kernel/declare/policy/caller.js';
import { runAsyncChecks } from '../../../kernel/declare/problems.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { touch } from '../../../kernel/write/entities.js';
import { checkReferences } from '../../../kernel/write/references.js';
import { create } from '../../../kernel/write/save.js';
import { templates } from '../../../messaging/ports.js';
import { countMessage } from '../limits/limits.js';
import { type BuildLink, createLinkBuilder } from '../links.js';
import { checkNotWeak, hashPassword } from '../passwords/password.js';
import { passwordCostOf } from '../passwords/password-cost.js';
import { withMinimumDuration } from '../sign-in/minimum-duration.js';
import { User } from '../users/user.js';
import { checkRegistration, profileOf, type RegisterInput } from './register-input.js';
import { mailVerification } from './verify-email.js';

/**
 * Registers a user: creates an unverified user and emails a verification link. Only the email reveals whether the address already has an
 * account. The profile of an existing unverified user changes only when the link is opened.
 */
export async function signUp(context: Context, input: RegisterInput): Promise<void> {
  const [, , , link] = await runAsyncChecks(
    () => checkRegistration(input, 'input.'),
    () => checkReferences(context, User, profileOf(input)),
    () => checkNotWeak(input.password, input, 'input.password'),
    () => createLinkBuilder(context, 'verifyEmail', input.customUrl, 'input.customUrl'),
  );
  const email = normalizeEmail(input.email);
  await countMessage(context, email);
  await withMinimumDuration(context, async () => {
    const passwordHash = await hashPassword(input.password, passwordCostOf(context));
    await saveRegistration(context, { email, profile: profileOf(input), passwordHash, link });
  });
}

interface Registration {
  email: string;
  profile: Values;
  passwordHash: string;
  link: BuildLink;
}

async function saveRegistration(context: Context, { email, profile, passwordHash, link }: Registration): Promise<void> {
  const { sql, services } = context;
  await createUnverifiedUser(context, { email, profile, passwordHash });
  await sql.transaction(async (em) => {
    const user = await em.findOne(User, { email }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user || user.verifiedAt) return services.outbox.enqueue(templates.accountExistsMail({ to: email }), sql, 'counted');
    // An unverified user has the password from the latest registration. A user that a platform created has no password until the link is
    // opened.
    if (user.passwordHash !== null && user.passwordHash !== passwordHash) {
      user.passwordHash = passwordHash;
      touch(context, user);
    }
    return mailVerification(context, user.id, { address: email, from: email, profile, passwordHash }, link);
  });
}

/** Creates an unverified user if no user has the address. Concurrent registrations create only one user. */
async function createUnverifiedUser(
  context: Context,
  { email, profile, passwordHash }: Omit<Registration, 'link'>,
): Promise<void> {
  const { sql } = context;
  if (await sql.first(sql.db.selectFrom('app_user').select('id').where('email', '=', email))) return;
  const platformId = platformIdOf(context.caller);
  try {
    await create(context, User, { ...profile, email }, ['id'], { passwordHash, platformId });
  } catch (error) {
    if (codeOf(error) !== 'CONFLICT') throw error;
  }
}
