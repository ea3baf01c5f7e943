import { flag, id, int, num, text } from '../../kernel/fields.js';
import { anyone } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';

@record(
  {
    table: 'governing_body',
    one: 'governingBody',
    many: 'governingBodies',
    read: [anyone],
    write: [],
    doors: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A body that sanctions tournaments. Reference data (section 2.2).',
)
export class GoverningBody {
  @id('Id.')
  id!: string;

  @text('Code, as in tournament sanctions.', { required: true })
  code!: string;

  @text('Full name.')
  name!: string | null;

  @text('Short name.')
  shortName!: string | null;

  @flag('It sanctions today.')
  isActive!: boolean;

  @flag('Tournaments can be filtered by it.')
  isSearchFilter!: boolean;

  @text('Name of the search parameter of /v1.')
  filterSearchParam!: string | null;

  @num('Place in lists.')
  displayOrder!: number | null;

  @text('Website.')
  url!: string | null;

  @text('Id of its club.')
  clubId!: string | null;

  @text('URL of the logo.')
  logoUrl!: string | null;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
