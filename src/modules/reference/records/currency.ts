import { id, text } from '../../../kernel/declare/fields/fields.js';
import type { NameReference } from '../../../kernel/declare/meta.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

/** Reference from a text field to a currency, by ISO 4217 code. */
export const namesCurrency: NameReference = {
  target: () => Currency,
  columns: ['abbreviation'],
  expected: 'the ISO 4217 code of a currency, such as USD',
};

@record(
  {
    table: 'currency',
    one: 'currency',
    many: 'currencies',
    read: [anyone],
    write: noWriters,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'title', direction: 'ASC' }],
  },
  'A currency of ISO 4217. Reference data, read-only.',
)
export class Currency {
  @id('ISO 4217 numeric code without leading zeros, such as 840.')
  id!: string;

  @text('Name in English, such as Canadian Dollar.', { required: true })
  title!: string;

  @text('ISO 4217 alphabetic code, such as CAD.', { required: true })
  abbreviation!: string;
}
