import type { Values } from '../../kernel/declare/options.js';
import { checkEmail } from './email.js';

/** What every save of a user holds to: a well-formed e-mail address, kept in lower case. */
export function checkUser(values: Values): Values {
  const { email } = values;
  return typeof email === 'string' && email ? { ...values, email: checkEmail(email) } : values;
}
