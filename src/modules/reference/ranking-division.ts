import { flag, id, int, num, text } from '../../kernel/fields.js';
import { anyone } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';
import { nobody } from '../../kernel/writers.js';

@record(
  {
    table: 'ranking_division',
    one: 'rankingDivision',
    many: 'rankingDivisions',
    read: [anyone],
    write: nobody,
    doors: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A division of the rankings, as the lists of players are titled. Reference data (section 2.2).',
)
export class RankingDivision {
  @id('Id of the division: the number of the division enumeration of section 2.12 as text.')
  id!: string;

  @text('Title, such as Mixed Doubles.')
  title!: string | null;

  @num('Place in lists, from 1.')
  displayOrder!: number | null;

  @flag('It is ranked today.')
  isActive!: boolean;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
