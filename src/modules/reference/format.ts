import { flag, id, int, num, text } from '../../kernel/fields.js';
import { anyone } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';

@record(
  {
    table: 'format',
    one: 'format',
    many: 'formats',
    read: [anyone],
    write: [],
    doors: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A format of play. Reference data (section 2.2).',
)
export class Format {
  @id('Id.')
  id!: string;

  @text('Title.')
  title!: string | null;

  @num('Place in lists, fractions allowed.')
  displayOrder!: number | null;

  @flag('It can be chosen.')
  isEnabled!: boolean;

  @flag('It is played in pairs.')
  needsPartner!: boolean;

  @text('Short form, such as MD.')
  shortHand!: string | null;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
