import { flag, id, int, text } from '../../kernel/declare/fields.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

@record(
  {
    table: 'equipment_type',
    one: 'equipmentType',
    many: 'equipmentTypes',
    read: [anyone],
    write: nobodyWrites,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A kind of equipment that players use. Reference data, read only.',
)
export class EquipmentType {
  @id('Id of the kind, a number as text.')
  id!: string;

  @text('Title, such as Paddle.', { required: true })
  title!: string;

  @flag('It is used today.')
  isEnabled!: boolean;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
