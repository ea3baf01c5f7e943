import { flag, id, int, text } from '../../kernel/declare/fields.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

@record(
  {
    table: 'contact_reason',
    one: 'contactReason',
    many: 'contactReasons',
    read: [anyone],
    write: nobodyWrites,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A reason to write to a tournament or to the platform. Reference data, read only.',
)
export class ContactReason {
  @id('Id of the reason, a number as text; contact messages name it.')
  id!: string;

  @text('Title, as the contact form shows it.', { required: true })
  title!: string;

  @flag('The contact form of a tournament offers it.')
  isForTournaments!: boolean;

  @flag('The contact form of the platform offers it.')
  isForPlatforms!: boolean;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
