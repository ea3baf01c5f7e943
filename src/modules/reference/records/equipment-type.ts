import { flag, id, int, text } from '../../../kernel/declare/fields/fields.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

@record(
  {
    table: 'equipment_type',
    one: 'equipmentType',
    many: 'equipmentTypes',
    read: [anyone],
    write: noWriters,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A type of player equipment. Reference data, read-only.',
)
export class EquipmentType {
  @id('ID of the type, a number as text.')
  id!: string;

  @text('Title, such as Paddle.', { required: true })
  title!: string;

  @flag('Whether it is in use.')
  isEnabled!: boolean;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
