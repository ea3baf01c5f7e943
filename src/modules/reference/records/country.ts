import { id, int, ref, text } from '../../../kernel/declare/fields/fields.js';
import type { NameReference } from '../../../kernel/declare/meta.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import { SystemTextNumber } from './system-text-number.js';

/** Reference from a text field to a country, by title or code. */
export const namesCountry: NameReference = {
  target: () => Country,
  columns: ['title', 'abbreviation', 'alpha2'],
  expected: 'the title or the code of a country',
};

@record(
  {
    table: 'country',
    one: 'country',
    many: 'countries',
    read: [anyone],
    write: noWriters,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'title', direction: 'ASC' }],
  },
  'A country of ISO 3166-1, or Kosovo. Reference data, read-only.',
)
export class Country {
  @id('ISO 3166-1 numeric code without leading zeros, such as 840.')
  id!: string;

  @text('ISO 3166-1 alpha-3 code, such as USA.', { required: true })
  abbreviation!: string;

  @text('ISO 3166-1 alpha-2 code, such as US.', { required: true })
  alpha2!: string;

  @text('Short name in English.', { required: true })
  title!: string;

  @text('International calling code in digits, without a plus sign. 1 for all countries of the North American Numbering Plan.', {
    required: true,
  })
  callingCode!: string;

  @text('Name for the states of the country, such as Province.', { required: true })
  stateTitle!: string;

  @text('Name for the postal codes of the country, such as ZIP Code.', { required: true })
  zipCodeTitle!: string;

  @ref(() => SystemTextNumber, { one: 'systemTextNumber', many: 'countries' }, 'Sender number of text messages to the country.')
  systemTextNumberId!: string | null;

  @int(
    'UN M49 code of the continent: 2 Africa, 3 North America, 5 South America, 9 Oceania, 10 Antarctica, 142 Asia, 150 Europe.',
    { required: true },
  )
  continentNumber!: number;
}
