import { id, int, text } from '../../../kernel/declare/fields/fields.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

@record(
  {
    table: 'module_type',
    one: 'moduleType',
    many: 'moduleTypes',
    read: [anyone],
    write: noWriters,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A type of record that can be a favorite. Reference data, read-only.',
)
export class ModuleType {
  @id('ID of the type, a number as text.')
  id!: string;

  @text('Title: Clubs, Tournaments, Leagues or Clinics.', { required: true })
  title!: string;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
