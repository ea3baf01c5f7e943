import { group, id, ref, text } from '../../kernel/declare/fields/fields.js';
import { visitor } from '../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../kernel/declare/policy/writers.js';
import { record } from '../../kernel/declare/record.js';
import { TrackedRecord } from '../../kernel/declare/tracked-record.js';
import { serviceAssignedTextOptions } from '../../kernel/write/slug-sql.js';
import { User } from '../accounts/users/user.js';
import { assignSlug } from './assign-slug.js';
import { ContactTexts } from './club.js';

@record(
  {
    table: 'league_listing',
    one: 'leagueListing',
    many: 'leagueListings',
    read: [visitor],
    write: { policies: staffPolicies() },
    rootFields: ['one', 'many', 'update', 'delete'],
    indexes: { title_equality: 'using hash (nfc(title))' },
    onInsert: assignSlug('league_listing'),
  },
  'Search result for a league: title, contact persons and texts of the contact form.',
)
export class LeagueListing extends TrackedRecord {
  @id('ID of the listing. If a league has the same ID, the listing belongs to that league.')
  id!: string;

  @text('Slug of the listing, derived from the title. Unique.', { ...serviceAssignedTextOptions, unique: true, readOnly: true })
  slug!: string;

  @text('Title.', { max: 500 })
  title!: string | null;

  @ref(() => User, { one: 'firstContact' }, 'First contact person.', { index: false })
  firstContactId!: string | null;

  @ref(() => User, { one: 'secondContact' }, 'Second contact person.', { index: false })
  secondContactId!: string | null;

  @group(() => ContactTexts, 'Texts of the contact form.')
  contact!: ContactTexts;
}
