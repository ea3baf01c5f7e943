import { flag, id, int, text } from '../../../kernel/declare/fields/fields.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

@record(
  {
    table: 'system_text_number',
    one: 'systemTextNumber',
    many: 'systemTextNumbers',
    read: [anyone],
    write: noWriters,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A sender number for text messages of the service. Reference data, read-only.',
)
export class SystemTextNumber {
  @id('ID of the number, a number as text.')
  id!: string;

  @text('Phone number in E.164 format, such as +12025550142.', { required: true })
  phoneNumber!: string;

  @flag('Whether it is in use.')
  isEnabled!: boolean;

  @text('Provider that sends the messages.', { required: true })
  provider!: string;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
