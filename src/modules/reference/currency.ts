import { id, text } from '../../kernel/fields.js';
import { anyone } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';

@record(
  {
    table: 'currency',
    one: 'currency',
    many: 'currencies',
    read: [anyone],
    write: [],
    doors: ['one', 'many'],
    order: [{ field: 'title', direction: 'ASC' }],
  },
  'A currency of ISO 4217; the id is its numeric code. Reference data (section 2.2).',
)
export class Currency {
  @id('Id.')
  id!: string;

  @text('Name.')
  title!: string | null;

  @text('Alphabetic code.')
  abbreviation!: string | null;
}
