import { createdAt, id, instant, ref, text } from '../../../kernel/declare/fields/fields.js';
import { superAdmin } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import { User } from '../users/user.js';

@record(
  {
    table: 'user_token',
    changeLogColumns: ['userId'],
    one: 'userToken',
    many: 'userTokens',
    read: [superAdmin],
    write: noWriters,
    person: { field: 'userId', deletesRows: true },
    audited: ['userId', 'expiresAt', 'revokedAt'],
    rootFields: [],
  },
  'Token of a signed-in user. Only its SHA-256 hash is stored.',
)
export class UserToken {
  @id('ID of the token.')
  id!: string;

  @text('SHA-256 hash of the token.', { secret: true, required: true, unique: true })
  tokenHash!: string;

  @ref(() => User, { one: 'user' }, 'User that the token belongs to.')
  userId!: string | null;

  @instant('When the token expires.', { required: true })
  expiresAt!: string;

  @instant('When the token was revoked, permanently. Null if it was not revoked.')
  revokedAt!: string | null;

  @text('Description of the device, as sent at sign-in. `placed` for tokens that a platform issued.')
  device!: string | null;

  @createdAt()
  createdAt!: string;
}
