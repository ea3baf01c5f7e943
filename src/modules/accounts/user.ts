import { registerEnumType } from 'type-graphql';
import { emailForm, folded } from '../../kernel/declare/email.js';
import { flag, id, instant, num, ref, refs, text, values } from '../../kernel/declare/fields.js';
import { Kept } from '../../kernel/declare/kept.js';
import type { Can } from '../../kernel/declare/options.js';
import { platform, superAdmin, user, visitor } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { day } from '../../kernel/declare/shown-fields.js';
import { Country } from '../reference/country.js';
import { Role } from '../reference/role.js';
import { State } from '../reference/state.js';
import { assignProfileSlug } from './assign-slug.js';
import { Platform } from './platform.js';
import { isPublicPlayer, publicPlayers } from './public-players-sql.js';
import { roleFilter } from './role-filter.js';
import { seesPrivate } from './sees-private.js';
import { showsPlace } from './shows-place.js';

export { publicPlayers } from './public-players-sql.js';

export const Gender = { F: 'F', M: 'M' } as const;
registerEnumType(Gender, {
  name: 'Gender',
  description: 'Categories of play.',
  valuesConfig: { F: { description: 'Women.' }, M: { description: 'Men.' } },
});

/** Who saves a user: users themselves and nobody else, and platforms where no user token says who acts, super admins excepted. */
const saving: Can = {
  reads: ['isSuperAdmin'],
  allows: ({ id, isSuperAdmin }, { caller }) =>
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
    findable: (caller) => publicPlayers('r.id', caller),
    canLookUp: isPublicPlayer,
    write: { by: [platform], owner: 'id' },
    audited: ['roleIds', 'isSuperAdmin', 'verifiedAt', 'platformId'],
    can: { update: saving },
    rootFields: ['one', 'many'],
    shows: seesPrivate,
    versioned: true,
    names: ['firstName', 'lastName'],
    place: { latitude: 'latitude', longitude: 'longitude', shown: showsPlace },
    onInsert: assignProfileSlug,
    onSave: ({ email, ...values }) => (typeof email === 'string' ? { ...values, email: folded(email) } : values),
  },
  'A person: player, referee, organiser or editor.',
)
export class User extends Kept {
  @id('Id of the user.')
  id!: string;

  @text('E-mail address, lower case, unique; shown to platforms, super admins and the user, null to others.', {
    unique: true,
    private: true,
    isLasting: true,
    form: emailForm,
    max: 254,
  })
  email!: string | null;

  @text('First name.', { max: 200 })
  firstName!: string | null;

  @text('Last name.', { max: 200 })
  lastName!: string | null;

  @text('Suffix of the name, such as Jr.', { max: 50 })
  nameSuffix!: string | null;

  @text('Phone number as it was given; shown to platforms, super admins and the user, null to others.', {
    max: 50,
    index: true,
    private: true,
  })
  phone!: string | null;

  @ref(
    () => Country,
    { one: 'phoneCountry' },
    'Country of the phone number, if the number states none. Null for callers with only a publishable key.',
    {
      index: false,
      shownTo: [platform, user],
    },
  )
  phoneCountryId!: string | null;

  @values(Gender, 'Category of play.')
  gender!: 'F' | 'M' | null;

  @day('Date of birth; shown to platforms, super admins and the user, null to others.', { private: true })
  dateOfBirth!: string | null;

  @ref(() => Country, { one: 'country' }, 'Country of residence.', { index: false })
  countryId!: string | null;

  @ref(() => State, { one: 'state' }, 'State of residence.', { index: false })
  stateId!: string | null;

  @text('City of residence.', { max: 200 })
  city!: string | null;

  @text('Postal code; shown to platforms, super admins and the user, null to others.', { max: 20, private: true })
  zip!: string | null;

  @num(
    'Degrees north of where the user lives or plays, -90 to 90; shown to platforms, super admins and the user, null to others.',
    {
      range: [-90, 90],
      private: true,
    },
  )
  latitude!: number | null;

  @num('Degrees east of it, -180 to 180; shown to platforms, super admins and the user, null to others.', {
    range: [-180, 180],
    private: true,
  })
  longitude!: number | null;

  @flag(
    'Whether other signed-in users find the user with `near`, and see the `distance` to about a kilometer. False for callers with only a publishable key.',
    { shownTo: [platform, user] },
  )
  showsPlace!: boolean;

  @text(
    'Last part of the URL of the public profile. Unique, assigned when the user is created, and changed only if the user is erased.',
    {
      required: true,
      unique: true,
      readOnly: true,
    },
  )
  slug!: string;

  @text(
    'URL of the profile image: the newest approved image of the type PROFILE, or else the URL that was set here, which publishable keys do not see.',
    {
      isAdjusted: true,
      askedBy: [platform, user],
    },
  )
  imageUrl!: string | null;

  @text('URL of the newest approved image of the type PROFILE, set by triggers.', { secret: true, readOnly: true })
  approvedImageUrl!: string | null;

  @text('The URL that was set in the record, while an approved image is shown instead.', { secret: true, readOnly: true })
  ownImageUrl!: string | null;

  @flag(
    'Whether the user is a super admin. Super admins have every role. Shown to platforms, super admins and the user; false for other callers.',
    {
      readOnly: true,
      private: true,
      askedBy: [platform, superAdmin],
    },
  )
  isSuperAdmin!: boolean;

  @instant('When the e-mail address was verified; shown to platforms, super admins and the user, null to others.', {
    readOnly: true,
    private: true,
  })
  verifiedAt!: string | null;

  @instant('When the user was erased.', { secret: true, readOnly: true })
  erasedAt!: string | null;

  @ref(() => Platform, {}, 'The platform that it came by.', { secret: true, readOnly: true })
  platformId!: string | null;

  @refs(() => Role, {}, 'The roles held directly.', { secret: true, readOnly: true, index: false })
  roleIds!: string[];

  @text('Password, hashed with argon2id.', { secret: true, readOnly: true })
  passwordHash!: string | null;

  @flag('The password may be that of a platform: it was set by a code to a phone, or before a platform changed the address.', {
    secret: true,
    readOnly: true,
  })
  isPasswordUnproven!: boolean;
}
