import { createdAt, id, instant, ref, text, values } from '../../kernel/declare/fields.js';
import { platform, user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { when } from '../../kernel/read/own-filters.js';
import { User } from '../accounts/user.js';
import { PushNotificationType } from '../reference/push-notification-type.js';
import { NotificationEvent, NotificationSubjectKind } from './notification-event.js';

@record(
  {
    table: 'notification',
    changesBy: ['userId'],
    one: 'notification',
    many: 'notifications',
    read: [platform, user],
    write: { by: [platform], owner: 'userId' },
    person: { by: 'userId', goes: true },
    rootFields: ['one', 'many'],
    seenBy: 'userId',
    indexes: { unread: '(user_id, created_at desc nulls last, id) where read_at is null' },
    filters: { isUnread: when('The user has not read it yet.', ({ row }) => `${row}.read_at is null`) },
  },
  'Something that the service tells a user. Users see their own, platforms all.',
)
export class Notification {
  @id('Id of the notification.')
  id!: string;

  @ref(() => PushNotificationType, { one: 'type' }, 'Its type, which users can switch off.', { index: false })
  typeId!: string | null;

  @ref(() => User, { one: 'user', many: 'notifications' }, 'Who is told.')
  userId!: string | null;

  @createdAt('When the user was told.')
  createdAt!: string;

  @instant('When the user read it; null while it is unread.')
  readAt!: string | null;

  @values(NotificationEvent, 'What happened.', { required: true })
  event!: NotificationEvent;

  @text('Text of the notification, in English.', { required: true, mentions: true })
  content!: string;

  @values(NotificationSubjectKind, 'Kind of what it points to; null where it points to nothing.')
  subjectKind!: NotificationSubjectKind | null;

  @text('Id of what it points to, among those of its kind.', { max: 255 })
  subjectId!: string | null;
}
