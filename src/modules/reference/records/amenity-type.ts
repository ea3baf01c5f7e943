import { flag, id, int, text } from '../../../kernel/declare/fields/fields.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

@record(
  {
    table: 'amenity_type',
    one: 'amenityType',
    many: 'amenityTypes',
    read: [anyone],
    write: noWriters,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A type of service for visitors of a tournament, such as lodging, rental cars or flights. Reference data, read-only.',
)
export class AmenityType {
  @id('ID of the type, a number as text.')
  id!: string;

  @text('Title, such as Car Rental.', { required: true })
  title!: string;

  @flag('Whether it can be selected.')
  isEnabled!: boolean;

  @int('Position in lists, from 1.', { required: true })
  displayOrder!: number;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
