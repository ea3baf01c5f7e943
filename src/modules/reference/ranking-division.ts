import { flag, id, int, text } from '../../kernel/declare/fields.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

@record(
  {
    table: 'ranking_division',
    one: 'rankingDivision',
    many: 'rankingDivisions',
    read: [anyone],
    write: nobodyWrites,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A division of the rankings, as the lists of players are titled. Reference data, read only.',
)
export class RankingDivision {
  @id("Id of the division: 1 women's singles, 2 men's singles, 3 mixed doubles, 4 women's doubles, 5 men's doubles.")
  id!: string;

  @text('Title, such as Mixed Doubles.', { required: true })
  title!: string;

  @int('Place in lists, from 1.', { required: true })
  displayOrder!: number;

  @flag('It is ranked today.')
  isEnabled!: boolean;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
