import { flag, id, int, num, text } from '../../../kernel/declare/fields/fields.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

@record(
  {
    table: 'rating_level',
    one: 'ratingLevel',
    many: 'ratingLevels',
    read: [anyone],
    write: noWriters,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A range of player ratings. Reference data, read-only.',
)
export class RatingLevel {
  @id('ID of the level, a number as text.')
  id!: string;

  @text('Title, such as 3.5.', { required: true })
  title!: string;

  @num('Lowest rating, inclusive.', { required: true })
  lowest!: number;

  @num('Highest rating, inclusive.', { required: true })
  highest!: number;

  @num('Initial rating of players who choose this level for themselves.', { required: true })
  selfStartPoint!: number;

  @int('Position among the levels from low to high, from 1.', { required: true })
  hierarchy!: number;

  @flag('Whether it can be selected.')
  isEnabled!: boolean;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
