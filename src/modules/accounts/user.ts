import { createdAt, flag, id, instant, list, ref, text } from '../../kernel/fields.js';
import { platform, user } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';
import { Country } from '../reference/country.js';
import { State } from '../reference/state.js';

@record(
  { table: 'app_user', one: 'user', many: 'users', read: [platform, user], write: [platform], doors: ['one', 'many'] },
  'A person: player, referee, organiser or editor (decision 36).',
)
export class User {
  @id('Id of the user.')
  id!: string;

  @text('E-mail address, lower case; shown to platforms and to the user.', { unique: true, max: 320 })
  email!: string | null;

  @text('First name.', { max: 200 })
  firstName!: string | null;

  @text('Last name.', { max: 200 })
  lastName!: string | null;

  @text('Suffix of the name, such as Jr.', { max: 50 })
  nameSuffix!: string | null;

  @text('Phone number in E.164 form; shown to platforms and to the user.', { max: 50, index: true })
  phone!: string | null;

  @ref(() => Country, { one: 'phoneCountry' }, 'Country of the phone number.', { index: false })
  phoneCountryId!: string | null;

  @text('F or M.', { max: 20 })
  gender!: string | null;

  @instant('Date of birth; shown to platforms and to the user.')
  dateOfBirth!: string | null;

  @ref(() => Country, { one: 'country' }, 'Country of residence.', { index: false })
  countryId!: string | null;

  @ref(() => State, { one: 'state' }, 'State of residence.', { index: false })
  stateId!: string | null;

  @text('City of residence.', { max: 200 })
  city!: string | null;

  @text('Postal code; shown to platforms and to the user.', { max: 20 })
  zip!: string | null;

  @text('Address of the public profile, unique.', { unique: true, readOnly: true })
  slug!: string | null;

  @text('URL of the profile image.')
  profileImage!: string | null;

  @flag('A super admin.', { readOnly: true })
  isSuperAdmin!: boolean;

  @instant('When the e-mail address was verified.', { readOnly: true })
  verifiedAt!: string | null;

  @createdAt()
  createdAt!: string;

  @list('Ids of the roles held directly.', { secret: true, readOnly: true })
  roleIds!: string[];

  @text('Password, hashed with argon2id.', { secret: true, readOnly: true })
  passwordHash!: string | null;
}
