import { flag, id, int, text } from '../../kernel/declare/fields.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

@record(
  {
    table: 'pro_level',
    one: 'proLevel',
    many: 'proLevels',
    read: [anyone],
    write: nobodyWrites,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'How far a player has come, from amateur to champions pro. Reference data, read only.',
)
export class ProLevel {
  @id('Id of the level, a number as text.')
  id!: string;

  @text('Title, such as Collegiate.', { required: true })
  title!: string;

  @int('Place in lists, from 1.', { required: true })
  displayOrder!: number;

  @flag('It can be chosen.')
  isEnabled!: boolean;

  @flag('It is professional.')
  isPro!: boolean;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
