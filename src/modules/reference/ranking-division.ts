import { flag, id, int, num, text } from '../../kernel/fields.js';
import { anyone } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';

@record(
  {
    table: 'ranking_division',
    one: 'rankingDivision',
    many: 'rankingDivisions',
    read: [anyone],
    write: [],
    doors: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A division of the rankings. Reference data (section 2.2).',
)
export class RankingDivision {
  @id('Id.')
  id!: string;

  @text('Title.')
  title!: string | null;

  @num('Place in lists.')
  displayOrder!: number | null;

  @flag('It is ranked today.')
  isActive!: boolean;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
