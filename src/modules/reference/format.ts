import { flag, id, int, num, text } from '../../kernel/declare/fields.js';
import type { Named } from '../../kernel/declare/meta.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

/** A number that is the id of a format. */
export const namesFormat: Named = { target: () => Format, one: 'format', by: ['id'] };

@record(
  {
    table: 'format',
    one: 'format',
    many: 'formats',
    read: [anyone],
    write: nobodyWrites,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  "Who plays with whom in an event: men's singles, mixed doubles and so on. Reference data, read only.",
)
export class Format {
  @id('Id of the format, a number as text.')
  id!: string;

  @text('Title, such as Mixed Doubles.', { required: true })
  title!: string;

  @num('Place in lists; fractions put a later format between two earlier ones.', { required: true })
  displayOrder!: number;

  @flag('It can be chosen.')
  isEnabled!: boolean;

  @flag('It is played in pairs.')
  needsPartner!: boolean;

  @text('Short form, such as MD.', { required: true })
  abbreviation!: string;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
