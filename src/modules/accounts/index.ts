import { module } from '../../kernel/module.js';
import { Platform } from './platform.js';
import { User } from './user.js';
import { UserToken } from './user-token.js';

/** Users, platforms, tokens, sign-on (sections 2.21, 4.20 and 5). */
export const accounts = module({
  name: 'accounts',
  description: 'Users, platforms, tokens and sign-on.',
  records: [User, Platform, UserToken],
});
