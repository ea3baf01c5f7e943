import { flag, id, int, text } from '../../../kernel/declare/fields/fields.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

@record(
  {
    table: 'bracket_level',
    one: 'bracketLevel',
    many: 'bracketLevels',
    read: [anyone],
    write: noWriters,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A level of play of a bracket, such as Pro or 4.5. Reference data, read-only.',
)
export class BracketLevel {
  @id('ID of the level, a number as text.')
  id!: string;

  @text('Title, such as Senior Pro or 4.5.', { required: true })
  title!: string;

  @int('Position in lists for organizers, from 1.', { required: true })
  displayOrder!: number;

  @flag('Whether it can be selected.')
  isEnabled!: boolean;

  @int('Position in lists for players, from 1.', { required: true })
  publicDisplayOrder!: number;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
