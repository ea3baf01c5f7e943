import { group, id, longText, ref, text } from '../../kernel/declare/fields/fields.js';
import { visitor } from '../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../kernel/declare/policy/writers.js';
import { record, value } from '../../kernel/declare/record.js';
import { filterableCreator, TrackedRecord } from '../../kernel/declare/tracked-record.js';
import { serviceAssignedTextOptions } from '../../kernel/write/slug-sql.js';
import { User } from '../accounts/users/user.js';
import { Place } from '../reference/records/locations.js';
import { assignSlug } from './assign-slug.js';

@value('Texts of a contact form, one per contact reason.')
export class ContactTexts {
  @longText('Text about registration.')
  registration!: string | null;

  @longText('Text of the contact form for questions about website accounts.')
  websiteAccount!: string | null;

  @longText('Text about refunds.')
  refunds!: string | null;

  @longText('Other information.')
  other!: string | null;
}

@record(
  {
    table: 'club',
    one: 'club',
    many: 'clubs',
    read: [visitor],
    write: { policies: staffPolicies() },
    rootFields: ['one', 'many', 'update', 'delete'],
    names: ['title'],
    location: { latitude: 'location.latitude', longitude: 'location.longitude' },
    search: { nameKey: 'location.state' },
    indexes: {
      title_trigram: 'using gin (nfc(title) gin_trgm_ops)',
      title_equality: 'using hash (nfc(title))',
    },
    onInsert: assignSlug('club'),
  },
  'Club that organizes tournaments and leagues.',
)
export class Club extends TrackedRecord {
  @id('ID of the club.')
  id!: string;

  @text('Slug of the club page, derived from the title. Unique.', { ...serviceAssignedTextOptions, unique: true, readOnly: true })
  slug!: string;

  @text('Title.', { max: 500 })
  title!: string | null;

  @group(() => Place, 'Location of the club.')
  location!: Place;

  @ref(() => User, { one: 'firstContact' }, 'First contact person.', { index: false })
  firstContactId!: string | null;

  @ref(() => User, { one: 'secondContact' }, 'Second contact person.', { index: false })
  secondContactId!: string | null;

  @group(() => ContactTexts, 'Texts of the contact form.')
  contact!: ContactTexts;

  @filterableCreator()
  override createdById!: string | null;
}
