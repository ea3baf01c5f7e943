import { id, int, text } from '../../kernel/declare/fields.js';
import type { Named } from '../../kernel/declare/meta.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

/** A text that names a tier. */
export const namesTier: Named = { target: () => TierLevel, by: ['title'] };

@record(
  {
    table: 'tier_level',
    one: 'tierLevel',

    many: 'tierLevels',
    read: [anyone],
    write: nobodyWrites,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A tier of tournaments: the higher, the more points its events give in the rankings. Reference data, read only.',
)
export class TierLevel {
  @id('Id of the tier, a UUID.')
  id!: string;

  @text('Title, such as Masters.', { required: true })
  title!: string;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
