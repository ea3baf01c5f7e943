import { enumeration } from '../../../kernel/declare/enumeration.js';
import { day } from '../../../kernel/declare/fields/converted-fields.js';
import { flag, id, instant, num, ref, refs, text, values } from '../../../kernel/declare/fields/fields.js';
import type { ActionRule } from '../../../kernel/declare/fields/options.js';
import { administrators, platform, superAdmin, user, visitor } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { emailFormat, normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { Country, State } from '../../reference/records/locations.js';
import { Role } from '../../reference/records/role.js';
import { Platform } from '../platforms/platform.js';
import { isPublicPlayer, publicPlayers } from './public-players-sql.js';
import { assignProfileSlug, canAdminister, canSeePrivate, roleFilter, visibleLocation } from './user-rules.js';

export { publicPlayers } from './public-players-sql.js';

export const Gender = enumeration('Gender', 'Category of play.', { F: 'Women.', M: 'Men.' });
/** Users can save only their own record. Without a user token, platforms can save any user except super admins. */
const canSave: ActionRule = {
  columns: ['isSuperAdmin'],
  isAllowed: ({ id, isSuperAdmin }, { caller }) =>
    caller.user ? caller.user.id === id : caller.platform !== null && isSuperAdmin !== true,
};

@record(
  {
    table: 'app_user',
    one: 'user',
    many: 'users',
    isUser: true,
    read: [visitor],
    readList: [platform, user],
    filters: { roles: roleFilter },
    search: {},
    searchable: (caller, row) => publicPlayers(row.column('id'), caller, row),
    canLookUp: isPublicPlayer,
    write: { policies: [platform], owner: 'id' },
    audited: ['roleIds', 'isSuperAdmin', 'verifiedAt', 'platformId', 'lockedAt'],
    actionRules: { administer: canAdminister, update: canSave },
    rootFields: ['one', 'many'],
    canSeePrivateFields: canSeePrivate,
    versioned: true,
    names: ['firstName', 'lastName'],
    location: { latitude: 'latitude', longitude: 'longitude', visibleCondition: visibleLocation },
    onInsert: assignProfileSlug,
    onSave: ({ email, ...values }) => (typeof email === 'string' ? { ...values, email: normalizeEmail(email) } : values),
  },
  'User: a player, referee, organizer or editor.',
)
export class User extends TrackedRecord {
  @id('ID of the user.')
  id!: string;

  @text('Unique email address, in lower case. Visible to platforms, super admins and the user. Null for other callers.', {
    unique: true,
    private: true,
    cannotBeCleared: true,
    format: emailFormat,
    max: 254,
  })
  email!: string | null;

  @text('First name.', { max: 200 })
  firstName!: string | null;

  @text('Last name.', { max: 200 })
  lastName!: string | null;

  @text('Suffix of the name, such as Jr.', { max: 50 })
  nameSuffix!: string | null;

  @text('Phone number, as the user entered it. Visible to platforms, super admins and the user. Null for other callers.', {
    max: 50,
    index: true,
    private: true,
  })
  phone!: string | null;

  @ref(
    () => Country,
    { one: 'phoneCountry' },
    'Country of the phone number, for numbers without a country code. Null for callers with only a publishable key.',
    {
      index: false,
      visibleTo: [platform, user],
    },
  )
  phoneCountryId!: string | null;

  @values(Gender, 'Category of play.')
  gender!: 'F' | 'M' | null;

  @day('Date of birth. Visible to platforms, super admins and the user. Null for other callers.', { private: true })
  dateOfBirth!: string | null;

  @ref(() => Country, { one: 'country' }, 'Country of residence.', { index: false })
  countryId!: string | null;

  @ref(() => State, { one: 'state' }, 'State of residence.', { index: false })
  stateId!: string | null;

  @text('City of residence.', { max: 200 })
  city!: string | null;

  @text('Postal code. Visible to platforms, super admins and the user. Null for other callers.', { max: 20, private: true })
  zip!: string | null;

  @num(
    'Latitude of the location where the user lives or plays, in degrees from -90 to 90. Visible to platforms, super admins and the user. Null for other callers.',
    {
      range: [-90, 90],
      private: true,
    },
  )
  latitude!: number | null;

  @num(
    'Longitude of the location where the user lives or plays, in degrees from -180 to 180. Visible to platforms, super admins and the user. Null for other callers.',
    {
      range: [-180, 180],
      private: true,
    },
  )
  longitude!: number | null;

  @flag(
    'Whether other signed-in users can find the user with `near` and see the `distance`, rounded to about one kilometer. False for callers with only a publishable key.',
    { visibleTo: [platform, user] },
  )
  showsPlace!: boolean;

  @text(
    'Last part of the URL of the public profile. Unique. It is assigned when the user is created and changes only if the user is erased.',
    {
      required: true,
      unique: true,
      readOnly: true,
    },
  )
  slug!: string;

  @text(
    'URL of the profile image: the newest approved image of the type PROFILE, or else the URL in this field. Callers with only a publishable key see approved images only.',
    {
      isChangedByTrigger: true,
      filterableBy: [platform, user],
    },
  )
  imageUrl!: string | null;

  @text('URL of the newest approved image of the type PROFILE, set by triggers.', {
    secret: true,
    readOnly: true,
    isComputed: true,
  })
  approvedImageUrl!: string | null;

  @text('URL that was last set in `imageUrl`. Null unless an approved image replaces it.', { secret: true, readOnly: true })
  ownImageUrl!: string | null;

  @flag(
    'Whether the user is a super admin. Super admins have every role. Visible to platforms, super admins and the user. False for other callers.',
    {
      readOnly: true,
      private: true,
      filterableBy: [platform, superAdmin],
    },
  )
  isSuperAdmin!: boolean;

  @instant(
    'When the email address was verified. Until then, it is null, and the user cannot sign in. Opening a registration link or a password reset link verifies the address. Visible to platforms, super admins and the user. Null for other callers.',
    {
      readOnly: true,
      private: true,
    },
  )
  verifiedAt!: string | null;

  @instant(
    'When the account was locked. Visible to users with the role ADMIN. Null for other callers and for accounts that are not locked.',
    {
      readOnly: true,
      visibleTo: [administrators],
    },
  )
  lockedAt!: string | null;

  @text(
    'Why the account is locked. Visible to users with the role ADMIN. Null for other callers and for accounts that are not locked.',
    {
      readOnly: true,
      visibleTo: [administrators],
    },
  )
  lockReason!: string | null;

  @instant(
    'When the personal data of the user was erased. Visible to platforms and to users with the role ADMIN. Null for other callers and for users who were not erased.',
    {
      readOnly: true,
      visibleTo: [platform, administrators],
    },
  )
  erasedAt!: string | null;

  @ref(() => Platform, {}, 'Platform that the user joined through.', { secret: true, readOnly: true })
  platformId!: string | null;

  @refs(() => Role, {}, 'Direct roles, without inherited ones.', { secret: true, readOnly: true, index: false })
  roleIds!: string[];

  @text('Hash of the password: argon2id, or an imported argon2, bcrypt, PBKDF2 or scrypt hash.', { secret: true, readOnly: true })
  passwordHash!: string | null;

  @flag(
    'Whether a platform may have chosen the password: it was set with a code sent to a phone, or before a platform changed the email address.',
    {
      secret: true,
      readOnly: true,
    },
  )
  isPasswordUnproven!: boolean;

  @flag('Whether a platform set the current email address of an existing user.', { secret: true, readOnly: true })
  isEmailUnproven!: boolean;
}
