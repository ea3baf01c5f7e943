import { id, ref, text } from '../../kernel/fields.js';
import { anyone } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';
import { Country } from './country.js';

@record(
  {
    table: 'state',
    one: 'state',
    many: 'states',
    read: [anyone],
    write: [],
    doors: ['one', 'many'],
    order: [{ field: 'title', direction: 'ASC' }],
  },
  'A state or province of ISO 3166-2; the id is its code. Reference data (section 2.2).',
)
export class State {
  @id('Id.')
  id!: string;

  @text('Abbreviation.')
  abbreviation!: string | null;

  @text('Name.')
  title!: string | null;

  @ref(() => Country, { one: 'country', many: 'states' }, 'Its country.')
  countryId!: string | null;
}
