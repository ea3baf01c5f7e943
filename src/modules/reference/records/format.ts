import { flag, id, int, num, text } from '../../../kernel/declare/fields/fields.js';
import type { NameReference } from '../../../kernel/declare/meta.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

/** Reference from a number field to a format, by ID. */
export const namesFormat: NameReference = {
  target: () => Format,
  relation: 'format',
  columns: ['id'],
  expected: 'the id of a format',
};

@record(
  {
    table: 'format',
    one: 'format',
    many: 'formats',
    read: [anyone],
    write: noWriters,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  "Format of an event, such as men's singles or mixed doubles. Reference data, read-only.",
)
export class Format {
  @id('ID of the format, a number as text.')
  id!: string;

  @text('Title, such as Mixed Doubles.', { required: true })
  title!: string;

  @num('Position in lists. May have fractions.', { required: true })
  displayOrder!: number;

  @flag('Whether it can be selected.')
  isEnabled!: boolean;

  @flag('Whether it is played in pairs.')
  needsPartner!: boolean;

  @text('Abbreviation, such as MD.', { required: true })
  abbreviation!: string;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
