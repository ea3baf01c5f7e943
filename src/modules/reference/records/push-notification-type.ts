import { flag, id, int, text } from '../../../kernel/declare/fields/fields.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

@record(
  {
    table: 'push_notification_type',
    one: 'pushNotificationType',
    many: 'pushNotificationTypes',
    read: [anyone],
    write: noWriters,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A type of notification that users can turn off. Reference data, read-only.',
)
export class PushNotificationType {
  @id('ID of the type, a number as text.')
  id!: string;

  @text('Title in the settings.', { required: true })
  title!: string;

  @text('When it is sent.', { required: true })
  description!: string;

  @flag('Whether notifications of this type are sent.')
  isEnabled!: boolean;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
