import { flag, id, int, text } from '../../../kernel/declare/fields/fields.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

@record(
  {
    table: 'contact_reason',
    one: 'contactReason',
    many: 'contactReasons',
    read: [anyone],
    write: noWriters,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A reason to contact a tournament or the platform. Reference data, read-only.',
)
export class ContactReason {
  @id('ID of the reason, a number as text. Contact messages refer to it.')
  id!: string;

  @text('Title in the contact form.', { required: true })
  title!: string;

  @flag('Whether the contact forms of tournaments offer it.')
  isForTournaments!: boolean;

  @flag('Whether the contact form of the platform offers it.')
  isForPlatforms!: boolean;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
