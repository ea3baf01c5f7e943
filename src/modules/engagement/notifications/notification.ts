import { expression } from '../../../kernel/declare/expression.js';
import { createdAt, id, instant, ref, text, values } from '../../../kernel/declare/fields/fields.js';
import { platform, user } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { booleanFilter } from '../../../kernel/read/conditions/custom-filters.js';
import { User } from '../../accounts/users/user.js';
import { PushNotificationType } from '../../reference/records/platform-lookups.js';
import { NotificationEvent, NotificationSubjectKind } from './notification-event.js';

@record(
  {
    table: 'notification',
    changeLogColumns: ['userId'],
    one: 'notification',
    many: 'notifications',
    read: [platform, user],
    write: { policies: [platform], owner: 'userId' },
    person: { field: 'userId', deletesRows: true },
    rootFields: ['one', 'many'],
    ownerField: 'userId',
    indexes: { unread: '(user_id, created_at desc nulls last, id) where read_at is null' },
    filters: { isUnread: booleanFilter('Whether the notification is unread.', (row) => expression`${row}.read_at is null`) },
  },
  'Notification of a user. Users see their own notifications. Platforms see all.',
)
export class Notification {
  @id('ID of the notification.')
  id!: string;

  @ref(() => PushNotificationType, { one: 'type' }, 'Type of the notification. Users can disable individual types.', {
    index: false,
  })
  typeId!: string | null;

  @ref(() => User, { one: 'user', many: 'notifications' }, 'Recipient of the notification.', { required: true })
  userId!: string;

  @createdAt('When the notification was created.')
  createdAt!: string;

  @instant('When the user read the notification. Null while it is unread.')
  readAt!: string | null;

  @values(NotificationEvent, 'Event that the notification is about.', { required: true })
  event!: NotificationEvent;

  @text('Text of the notification, in English.', { required: true, mentionsPeople: true })
  content!: string;

  @values(NotificationSubjectKind, 'Kind of the subject. Null if there is no subject.')
  subjectKind!: NotificationSubjectKind | null;

  @text('ID of the subject. Unique within its kind. Null if there is no subject.', { max: 255 })
  subjectId!: string | null;
}
