import { id, int, text } from '../../../kernel/declare/fields/fields.js';
import type { NameReference } from '../../../kernel/declare/meta.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

/** Reference from a number field to a player group, by ID. */
export const namesPlayerGroup: NameReference = {
  target: () => PlayerGroup,
  relation: 'playerGroup',
  columns: ['id'],
  expected: 'the id of a player group',
};

@record(
  {
    table: 'player_group',
    one: 'playerGroup',
    many: 'playerGroups',
    read: [anyone],
    write: noWriters,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A group of players that an event is open to, by gender and age. Reference data, read-only.',
)
export class PlayerGroup {
  @id('ID of the group, a number as text.')
  id!: string;

  @text('Title, such as Senior Women.', { required: true })
  title!: string;

  @text('Players of the group.', { required: true })
  description!: string;

  @int('Position in lists, from 1.', { required: true })
  displayOrder!: number;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
