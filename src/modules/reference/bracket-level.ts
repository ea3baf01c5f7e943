import { flag, id, int, num, text } from '../../kernel/fields.js';
import { anyone } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';

@record(
  {
    table: 'bracket_level',
    one: 'bracketLevel',
    many: 'bracketLevels',
    read: [anyone],
    write: [],
    doors: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A level of the brackets. Reference data (section 2.2).',
)
export class BracketLevel {
  @id('Id.')
  id!: string;

  @text('Title.')
  title!: string | null;

  @num('Place in lists.')
  displayOrder!: number | null;

  @flag('It can be chosen.')
  isEnabled!: boolean;

  @num('Place in public lists.')
  publicDisplayOrder!: number | null;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
