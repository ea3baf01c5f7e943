import type { Context } from '../../../kernel/declare/context.js';
import { runAsyncChecks } from '../../../kernel/declare/problems.js';
import { checkEmail, normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { now } from '../../../kernel/declare/scalars/instant.js';
import { create } from '../../../kernel/write/save.js';
import { templates } from '../../../messaging/ports.js';
import { createLinkBuilder } from '../links.js';
import { checkNotWeak, checkPassword, hashPassword } from '../passwords/password.js';
import { passwordCostOf } from '../passwords/password-cost.js';
import { issueValue } from '../tokens/one-time-values.js';
import { User } from './user.js';

/** User that an operator creates. The operator confirms that the email address belongs to the user. */
export interface NewUser {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly roleIds: readonly string[];
  readonly isSuperAdmin: boolean;
  /** Password. Null if the user gets an email with a link for setting it. The address is unverified until the link is opened. */
  readonly password: string | null;
}

/** Creates a user and returns the ID. Throws CONFLICT if another user has the email address. */
export async function createUser(context: Context, { password, email, ...profile }: NewUser): Promise<string> {
  const { sql, services } = context;
  const { firstName, lastName, roleIds, isSuperAdmin } = profile;
  await runAsyncChecks(
    async () => checkEmail(email, 'email'),
    async () => password !== null && checkPassword(password, 'password'),
    async () => password !== null && checkNotWeak(password, { email, firstName, lastName }, 'password'),
  );
  const address = normalizeEmail(email);
  const buildLink = await createLinkBuilder(context, 'resetPassword', null);
  const passwordHash = password === null ? null : await hashPassword(password, passwordCostOf(context));
  return sql.transaction(async () => {
    const serviceValues = { passwordHash, isSuperAdmin, roleIds: [...roleIds], verifiedAt: password === null ? null : now() };
    const { id } = await create(context, User, { email: address, firstName, lastName }, ['id'], serviceValues);
    if (password !== null) return id;
    const { value } = await issueValue(sql, 'resetPassword', id, { email: address });
    await services.outbox.enqueue(templates.passwordResetMail({ to: address, link: buildLink(value) }), sql, 'service');
    return id;
  });
}
