import { flag, id, int, text } from '../../../kernel/declare/fields/fields.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

@record(
  {
    table: 'ranking_division',
    one: 'rankingDivision',
    many: 'rankingDivisions',
    read: [anyone],
    write: noWriters,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A division of the rankings. Reference data, read-only.',
)
export class RankingDivision {
  @id("ID of the division: 1 women's singles, 2 men's singles, 3 mixed doubles, 4 women's doubles, 5 men's doubles.")
  id!: string;

  @text('Title, such as Mixed Doubles.', { required: true })
  title!: string;

  @int('Position in lists, from 1.', { required: true })
  displayOrder!: number;

  @flag('Whether it is currently ranked.')
  isEnabled!: boolean;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
