import { createdAt, id, instant, ref, text } from '../../kernel/declare/fields.js';
import { user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';
import { User } from './user.js';

@record(
  {
    table: 'calendar_link',
    changesBy: ['userId'],
    one: 'calendarLink',
    many: 'calendarLinks',
    read: [user],
    write: nobodyWrites,
    person: { by: 'userId', goes: true },
    rootFields: ['many'],
    visible: ({ user }, param) => `r.user_id = ${param(user?.id ?? '')}`,
  },
  'An address from which calendar apps, which send no headers, read the games of its user and nothing else. Users see their own. Only the SHA-256 of its token is kept.',
)
export class CalendarLink {
  @id('Id of the link.')
  id!: string;

  @ref(() => User, { one: 'user' }, 'Whose games it opens.', { readOnly: true })
  userId!: string | null;

  @text('What it is for, such as the name of a phone.', { max: 200 })
  label!: string | null;

  @instant('When it was revoked, for good: from then on it opens nothing.', { readOnly: true })
  revokedAt!: string | null;

  @text('SHA-256 of the token.', { secret: true, required: true, readOnly: true, unique: true })
  tokenHash!: string;

  @createdAt()
  createdAt!: string;
}
