import { flag, id, int, text } from '../../kernel/declare/fields.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

@record(
  {
    table: 'bracket_level',
    one: 'bracketLevel',
    many: 'bracketLevels',
    read: [anyone],
    write: nobodyWrites,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A level of play for which a bracket is open, from Pro down to Novice. Reference data, read only.',
)
export class BracketLevel {
  @id('Id of the level, a number as text.')
  id!: string;

  @text('Title, such as Senior Pro or 4.5.', { required: true })
  title!: string;

  @int('Place in lists of organisers, from 1.', { required: true })
  displayOrder!: number;

  @flag('It can be chosen.')
  isEnabled!: boolean;

  @int('Place in lists that players see, from 1.', { required: true })
  publicDisplayOrder!: number;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
