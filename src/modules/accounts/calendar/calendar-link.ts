import { expression, parameter } from '../../../kernel/declare/expression.js';
import { createdAt, id, instant, ref, text } from '../../../kernel/declare/fields/fields.js';
import { user } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import { User } from '../users/user.js';

@record(
  {
    table: 'calendar_link',
    changeLogColumns: ['userId'],
    one: 'calendarLink',
    many: 'calendarLinks',
    read: [user],
    write: noWriters,
    person: { field: 'userId', deletesRows: true },
    rootFields: ['many'],
    visibleCondition: ({ user }, row) => expression`${row}.user_id = ${parameter(user?.id ?? '')}`,
  },
  'URL that calendar apps use to read the games of a user. It grants access to nothing else. Users see only their own links. Only the SHA-256 hash of the token is stored.',
)
export class CalendarLink {
  @id('ID of the link.')
  id!: string;

  @ref(() => User, { one: 'user' }, 'User that the link belongs to.', { required: true, readOnly: true })
  userId!: string;

  @text('Label, such as the name of a phone. At most 200 characters.', { max: 200 })
  label!: string | null;

  @instant('When the link was permanently revoked. Null while the link is active.', { readOnly: true })
  revokedAt!: string | null;

  @text('SHA-256 hash of the token.', { secret: true, required: true, readOnly: true, unique: true })
  tokenHash!: string;

  @createdAt()
  createdAt!: string;
}
