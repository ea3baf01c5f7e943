import { flag, id, text } from '../../../kernel/declare/fields/fields.js';
import { record } from '../../../kernel/declare/record.js';
import { lookupOptions, OrderedLookup } from './lookup.js';

@record(
  { ...lookupOptions, table: 'contact_reason', one: 'contactReason', many: 'contactReasons' },
  'Reason to contact a tournament or the platform. Reference data, read-only.',
)
export class ContactReason extends OrderedLookup {
  @id('Numeric ID of the reason, as a string. Contact messages refer to it.')
  id!: string;

  @text('Title in the contact form.', { required: true })
  title!: string;

  @flag('Whether the contact forms of tournaments offer the reason.')
  isForTournaments!: boolean;

  @flag('Whether the contact form of the platform offers the reason.')
  isForPlatforms!: boolean;
}

@record(
  { ...lookupOptions, table: 'module_type', one: 'moduleType', many: 'moduleTypes' },
  'Type of record that users can add to their favorites. Reference data, read-only.',
)
export class ModuleType extends OrderedLookup {
  @id('Numeric ID of the type, as a string.')
  id!: string;

  @text('Title: Clubs, Tournaments, Leagues or Clinics.', { required: true })
  title!: string;
}

@record(
  {
    ...lookupOptions,
    table: 'push_notification_type',
    one: 'pushNotificationType',
    many: 'pushNotificationTypes',
    constant: true,
  },
  'Type of notification that users can turn off. Reference data, read-only.',
)
export class PushNotificationType extends OrderedLookup {
  @id('Numeric ID of the type, as a string.')
  id!: string;

  @text('Title in the settings.', { required: true })
  title!: string;

  @text('Description of when the notification is sent.', { required: true })
  description!: string;

  @flag('Whether notifications of this type are sent.')
  isEnabled!: boolean;
}
