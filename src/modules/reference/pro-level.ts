import { flag, id, int, num, text } from '../../kernel/fields.js';
import { anyone } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';

@record(
  {
    table: 'pro_level',
    one: 'proLevel',
    many: 'proLevels',
    read: [anyone],
    write: [],
    doors: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A level of professional play. Reference data (section 2.2).',
)
export class ProLevel {
  @id('Id.')
  id!: string;

  @text('Title.')
  title!: string | null;

  @num('Place in lists.')
  displayOrder!: number | null;

  @flag('It can be chosen.')
  isEnabled!: boolean;

  @flag('It is professional.')
  isPro!: boolean;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
