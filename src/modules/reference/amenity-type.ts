import { flag, id, int, text } from '../../kernel/declare/fields.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

@record(
  {
    table: 'amenity_type',
    one: 'amenityType',
    many: 'amenityTypes',
    read: [anyone],
    write: nobodyWrites,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A kind of offer that a tournament can list beside its venue: lodging, rental cars, flights. Reference data, read only.',
)
export class AmenityType {
  @id('Id of the kind, a number as text.')
  id!: string;

  @text('Title, such as Car Rental.', { required: true })
  title!: string;

  @flag('It can be chosen.')
  isEnabled!: boolean;

  @int('Place in lists, from 1.', { required: true })
  displayOrder!: number;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
