import { id, int, text } from '../../kernel/fields.js';
import { anyone } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';
import { nobody } from '../../kernel/writers.js';

@record(
  {
    table: 'tier_level',
    one: 'tierLevel',
    many: 'tierLevels',
    read: [anyone],
    write: nobody,
    constant: true,
    doors: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A tier of tournaments: the higher, the more points its events give in the rankings. Reference data, read only.',
)
export class TierLevel {
  @id('Id of the tier, a UUID.')
  id!: string;

  @text('Name, such as Masters.')
  name!: string | null;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
