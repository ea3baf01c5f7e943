import { flag, id, int, num, text } from '../../kernel/fields.js';
import { anyone } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';

@record(
  {
    table: 'amenity_type',
    one: 'amenityType',
    many: 'amenityTypes',
    read: [anyone],
    write: [],
    doors: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A kind of amenity near a venue. Reference data (section 2.2).',
)
export class AmenityType {
  @id('Id.')
  id!: string;

  @text('Title.')
  title!: string | null;

  @flag('It can be chosen.')
  isEnabled!: boolean;

  @num('Place in lists.')
  displayOrder!: number | null;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
