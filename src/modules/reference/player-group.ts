import { id, int, text } from '../../kernel/declare/fields.js';
import type { Named } from '../../kernel/declare/meta.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

/** A number that is the id of a player group. */
export const namesPlayerGroup: Named = { target: () => PlayerGroup, one: 'playerGroup', by: ['id'] };

@record(
  {
    table: 'player_group',
    one: 'playerGroup',
    many: 'playerGroups',
    read: [anyone],
    write: nobodyWrites,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'Who may enter an event, by gender and age. Reference data, read only.',
)
export class PlayerGroup {
  @id('Id of the group, a number as text.')
  id!: string;

  @text('Title, such as Senior Women.', { required: true })
  title!: string;

  @text('Who belongs to it.', { required: true })
  description!: string;

  @int('Place in lists, from 1.', { required: true })
  displayOrder!: number;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
