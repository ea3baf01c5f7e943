import { flag, id, int, text } from '../../../kernel/declare/fields/fields.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

@record(
  {
    table: 'pro_level',
    one: 'proLevel',
    many: 'proLevels',
    read: [anyone],
    write: noWriters,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A level of players, from amateur to champions pro. Reference data, read-only.',
)
export class ProLevel {
  @id('ID of the level, a number as text.')
  id!: string;

  @text('Title, such as Collegiate.', { required: true })
  title!: string;

  @int('Position in lists, from 1.', { required: true })
  displayOrder!: number;

  @flag('Whether it can be selected.')
  isEnabled!: boolean;

  @flag('Whether it is professional.')
  isPro!: boolean;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
