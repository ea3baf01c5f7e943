import type { Context } from '../../../kernel/declare/context.js';
import { reject } from '../../../kernel/declare/errors.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { isResetCode } from '../passwords/change-password.js';
import { checkCodeUncounted } from '../tokens/one-time-code.js';
import { checkValue } from '../tokens/one-time-values.js';

/** Checks a verification link, reset link or reset code without using it. Throws BAD_INPUT if it is wrong or used, GONE if it has expired. */
export async function checkLinkOrCode(context: Context, value: string, email: string | null | undefined): Promise<void> {
  const { sql } = context;
  sql.usePrimary();
  if (isResetCode(value))
    await checkCodeUncounted(
      context,
      email ? normalizeEmail(email) : reject('email', 'the address that the code was asked for'),
      value,
    );
  else await checkValue(sql, ['verifyEmail', 'resetPassword'], value);
}
