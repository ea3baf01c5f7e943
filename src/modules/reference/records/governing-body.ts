import { flag, id, int, ref, text } from '../../../kernel/declare/fields/fields.js';
import { recordNamed } from '../../../kernel/declare/meta.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import bodies from '../data/governingBodies.json' with { type: 'json' };

/** IDs of governing bodies by code. */
export const idOfBody: ReadonlyMap<string, string> = new Map(bodies.map(({ code, id }) => [code, id]));

@record(
  {
    table: 'governing_body',
    one: 'governingBody',
    many: 'governingBodies',
    read: [anyone],
    write: noWriters,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A governing body that sanctions tournaments. Reference data, read-only.',
)
export class GoverningBody {
  @id('ID of the governing body, a number as text.')
  id!: string;

  @text('Code, as in `SanctioningBody`: APP, GPA, MLP, PAA, PCO, PPA, SSIPA, USAP or WPF.', { required: true })
  code!: string;

  @text('Full title.', { required: true })
  title!: string;

  @text('Short name.', { required: true })
  shortName!: string;

  @flag('Whether it currently sanctions tournaments.')
  isEnabled!: boolean;

  @flag('Whether tournaments can be filtered by it.')
  isSearchFilter!: boolean;

  @text('Query parameter of the `/v1` tournament search that filters by it, such as `sanction_ppa`.', {
    required: true,
    legacyOnlyName: 'searchParameter',
  })
  legacySearchParameter!: string;

  @int('Position in lists, from 1.', { required: true })
  displayOrder!: number;

  @text('URL of its website.')
  url!: string | null;

  @ref(() => recordNamed('Club'), { one: 'club' }, 'Club of the governing body, if it has one.', { index: false })
  clubId!: string | null;

  @text('URL of the logo.')
  logoUrl!: string | null;

  @int('Position in the published list.', { secret: true, readOnly: true })
  position!: number | null;
}
