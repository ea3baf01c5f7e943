import { id, ref, text } from '../../../kernel/declare/fields/fields.js';
import type { NameReference } from '../../../kernel/declare/meta.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import { Country } from './country.js';

/** Reference from a text field to a state, by title or code. The field `country` of the same object selects the country. */
export const namesState: NameReference = {
  target: () => State,
  columns: ['title', 'abbreviation', 'code'],
  expected: 'the title or the code of a state in `country`',
  parent: { field: 'country', key: 'countryId' },
};

@record(
  {
    table: 'state',
    one: 'state',
    many: 'states',
    read: [anyone],
    write: noWriters,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'title', direction: 'ASC' }],
  },
  'A state, province or other subdivision of a country (ISO 3166-2). Reference data, read-only.',
)
export class State {
  @id('ID of the state, a number as text that never changes.')
  id!: string;

  @text('ISO 3166-2 code, such as US-TX. Unique.', { required: true, unique: true, max: 20 })
  code!: string;

  @text('Abbreviation, such as TX: the part of the code after the country.', { required: true })
  abbreviation!: string;

  @text('Name.', { required: true })
  title!: string;

  @ref(() => Country, { one: 'country', many: 'states', filterable: ['one'] }, 'Country of the state.')
  countryId!: string | null;
}
