import { id, int, text } from '../../../kernel/declare/fields/fields.js';
import type { NameReference } from '../../../kernel/declare/meta.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

/** Reference from a text field to a tier level, by title. */
export const namesTier: NameReference = {
  target: () => TierLevel,
  columns: ['title'],
  expected: 'the title of a tier, such as Masters',
};

@record(
  {
    table: 'tier_level',
    one: 'tierLevel',

    many: 'tierLevels',
    read: [anyone],
    write: noWriters,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A tier of tournaments. Events of higher tiers give more ranking points. Reference data, read-only.',
)
export class TierLevel {
  @id('ID of the tier, a UUID.')
  id!: string;

  @text('Title, such as Masters.', { required: true })
  title!: string;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
