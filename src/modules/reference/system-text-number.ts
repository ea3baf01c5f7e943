import { flag, id, int, text } from '../../kernel/declare/fields.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

@record(
  {
    table: 'system_text_number',
    one: 'systemTextNumber',
    many: 'systemTextNumbers',
    read: [anyone],
    write: nobodyWrites,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A phone number of the service from which text messages are sent. Reference data, read only.',
)
export class SystemTextNumber {
  @id('Id of the number, a number as text.')
  id!: string;

  @text('The phone number in E.164 form, such as +12025550142.', { required: true })
  phoneNumber!: string;

  @flag('It is in use.')
  isEnabled!: boolean;

  @text('Provider through which it sends.', { required: true })
  provider!: string;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
