import { id, num, ref, text } from '../../kernel/fields.js';
import { anyone } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';
import { SystemTextNumber } from './system-text-number.js';

@record(
  {
    table: 'country',
    one: 'country',
    many: 'countries',
    read: [anyone],
    write: [],
    doors: ['one', 'many'],
    order: [{ field: 'title', direction: 'ASC' }],
  },
  'A country of ISO 3166-1; the id is its numeric code. Reference data (section 2.2).',
)
export class Country {
  @id('Id.')
  id!: string;

  @text('Alpha-3 code.')
  abbreviation!: string | null;

  @text('Alpha-2 code.')
  alpha2!: string | null;

  @text('Name.')
  title!: string | null;

  @text('International calling code, digits.')
  callingCode!: string | null;

  @text('What its states are called.')
  stateTitle!: string | null;

  @text('What its postal codes are called.')
  zipCodeTitle!: string | null;

  @ref(() => SystemTextNumber, { one: 'systemTextNumber', many: 'countries' }, 'The number from which texts to it are sent.')
  systemTextNumberId!: string | null;

  @num('UN M49 number of the continent.')
  regionId!: number | null;
}
