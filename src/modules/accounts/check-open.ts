import type { Context } from '../../kernel/declare/context.js';
import { folded } from '../../kernel/declare/email.js';
import { reject } from '../../kernel/declare/errors.js';
import { isSixDigits } from './change-password.js';
import { checkValue } from './one-time.js';
import { askForCode } from './one-time-code.js';

/** Refuses a link or a code that cannot be used; one that can be stays as good as it is. */
export async function checkUsable(context: Context, value: string, email: string | null | undefined): Promise<void> {
  const { sql } = context;
  sql.writes();
  if (isSixDigits(value))
    await askForCode(context, email ? folded(email) : reject('email', 'the address that the code was asked for'), value);
  else await checkValue(sql, ['verifyEmail', 'resetPassword'], value);
}
