import { id, ref } from '../../kernel/declare/fields.js';
import { platform, superAdmin } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { User } from '../accounts/user.js';
import { PushNotificationType } from '../reference/push-notification-type.js';

@record(
  {
    table: 'muted_notification',
    one: 'mutedNotification',
    many: 'mutedNotifications',
    read: [superAdmin],
    write: { by: [platform], owner: 'userId' },
    person: { by: 'userId', goes: true },
    rootFields: [],
    key: ['userId', 'typeId'],
  },
  'A type of notification that a user has switched off. All start switched on.',
)
export class MutedNotification {
  @id('Id of the record.')
  id!: string;

  @ref(() => User, {}, 'Who does not want it.', { index: false })
  userId!: string | null;

  @ref(() => PushNotificationType, {}, 'The type.', { index: false })
  typeId!: string | null;
}
