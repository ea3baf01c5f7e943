import { id, ref } from '../../../kernel/declare/fields/fields.js';
import { platform, superAdmin } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { User } from '../../accounts/users/user.js';
import { PushNotificationType } from '../../reference/records/platform-lookups.js';

@record(
  {
    table: 'muted_notification',
    one: 'mutedNotification',
    many: 'mutedNotifications',
    read: [superAdmin],
    write: { policies: [platform], owner: 'userId' },
    person: { field: 'userId', deletesRows: true },
    rootFields: [],
    key: ['userId', 'typeId'],
  },
  'Notification type that a user has disabled. All types are enabled by default.',
)
export class MutedNotification {
  @id('ID of the record.')
  id!: string;

  @ref(() => User, {}, 'User who disabled the type.', { index: false })
  userId!: string | null;

  @ref(() => PushNotificationType, {}, 'Notification type.', { index: false })
  typeId!: string | null;
}
