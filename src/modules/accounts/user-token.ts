import { createdAt, id, instant, ref, text } from '../../kernel/declare/fields.js';
import { superAdmin } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';
import { User } from './user.js';

@record(
  {
    table: 'user_token',
    changesBy: ['userId'],
    one: 'userToken',
    many: 'userTokens',
    read: [superAdmin],
    write: nobodyWrites,
    person: { by: 'userId', goes: true },
    audited: ['userId', 'expiresAt', 'revokedAt'],
    rootFields: [],
  },
  'A token that a user was given at sign-on. Only its SHA-256 is kept.',
)
export class UserToken {
  @id('Id of the token.')
  id!: string;

  @text('SHA-256 of the token.', { secret: true, required: true, unique: true })
  tokenHash!: string;

  @ref(() => User, { one: 'user' }, 'Whose it is.')
  userId!: string | null;

  @instant('When it ends.', { required: true })
  expiresAt!: string;

  @instant('When it was revoked, for good.')
  revokedAt!: string | null;

  @text('What the device told of itself at login.')
  device!: string | null;

  @createdAt()
  createdAt!: string;
}
