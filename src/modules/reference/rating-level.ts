import { flag, id, int, num, text } from '../../kernel/declare/fields.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

@record(
  {
    table: 'rating_level',
    one: 'ratingLevel',
    many: 'ratingLevels',
    read: [anyone],
    write: nobodyWrites,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A band of player ratings. Reference data, read only.',
)
export class RatingLevel {
  @id('Id of the band, a number as text.')
  id!: string;

  @text('Title, such as 3.5.', { required: true })
  title!: string;

  @num('Lowest rating, included.', { required: true })
  lowest!: number;

  @num('Highest rating, included.', { required: true })
  highest!: number;

  @num('Rating with which players start who place themselves in this band.', { required: true })
  selfStartPoint!: number;

  @int('Place among the bands, from low to high, from 1.', { required: true })
  hierarchy!: number;

  @flag('It can be chosen.')
  isEnabled!: boolean;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
