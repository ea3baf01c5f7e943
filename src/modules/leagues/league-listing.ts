import { group, id, ref, text } from '../../kernel/declare/fields.js';
import { Kept } from '../../kernel/declare/kept.js';
import { visitor } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { staff } from '../../kernel/declare/writers.js';
import { assigned } from '../../kernel/write/slug-sql.js';
import { User } from '../accounts/user.js';
import { assignSlug } from './assign-slug.js';
import { ContactTexts } from './contact-texts.js';

@record(
  {
    table: 'league_listing',
    one: 'leagueListing',
    many: 'leagueListings',
    read: [visitor],
    write: { by: staff() },
    rootFields: ['one', 'many', 'update', 'delete'],
    indexes: { title_same: 'using hash (nfc(title))' },
    onInsert: assignSlug('league_listing'),
  },
  'What the search shows of a league: its title, the persons to ask, and the texts of its contact form.',
)
export class LeagueListing extends Kept {
  @id('Id of the listing. With the id of a league it is the listing of that league, which `league` gives then.')
  id!: string;

  @text('Address of the listing, made from the title, unique.', { ...assigned, unique: true, readOnly: true })
  slug!: string;

  @text('Title.', { max: 500 })
  title!: string | null;

  @ref(() => User, { one: 'firstContact' }, 'First person to ask.', { index: false })
  firstContactId!: string | null;

  @ref(() => User, { one: 'secondContact' }, 'Second person to ask.', { index: false })
  secondContactId!: string | null;

  @group(() => ContactTexts, 'Texts of the contact form.')
  contact!: ContactTexts;
}
