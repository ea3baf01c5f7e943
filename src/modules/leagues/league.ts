import { currentTimestamp, expression } from '../../kernel/declare/expression.js';
import { integerInText } from '../../kernel/declare/fields/converted-fields.js';
import { flag, group, id, instant, money, ref, text } from '../../kernel/declare/fields/fields.js';
import { offsetInText } from '../../kernel/declare/fields/offset-fields.js';
import type { CustomFilter } from '../../kernel/declare/fields/options.js';
import { visitor } from '../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../kernel/declare/policy/writers.js';
import { record } from '../../kernel/declare/record.js';
import { choice, choices } from '../../kernel/declare/scalars/choices.js';
import { actionUser, filterableCreator, TrackedRecord } from '../../kernel/declare/tracked-record.js';
import { booleanFilter } from '../../kernel/read/conditions/custom-filters.js';
import { serviceAssignedTextOptions } from '../../kernel/write/slug-sql.js';
import { Format, PlayerGroup } from '../reference/records/event-lookups.js';
import { currencyReference, Place } from '../reference/records/locations.js';
import { assignSlug } from './assign-slug.js';
import { Club } from './club.js';

const signupMethods = choices('LeagueSignup', 'How players sign up and pay for a league.', {
  ONLINE: { raw: ['Online'], description: 'Online.' },
  ONSITE: { raw: ['Onsite', 'On site', 'On-site'], description: 'At the club.' },
});

/** Handwritten filters for leagues. */
const leagueFilters: Record<string, CustomFilter> = {
  isRegistering: booleanFilter(
    'Whether registration is open: both dates are set, the current time is between them, and the league is not disabled.',
    (row) =>
      expression`${row}.disabled_at is null and ${row}.registration_opens_at <= ${currentTimestamp} and ${row}.registration_closes_at >= ${currentTimestamp}`,
  ),
};

@record(
  {
    table: 'league',
    one: 'league',
    many: 'leagues',
    read: [visitor],
    write: { policies: staffPolicies() },
    names: ['title'],
    location: { latitude: 'location.latitude', longitude: 'location.longitude' },
    search: { nameKey: 'location.state' },
    searchable: (_, row) => expression`not ${row}.is_test and ${row}.disabled_at is null`,
    filters: leagueFilters,
    indexes: {
      title_trigram: 'using gin (nfc(title) gin_trgm_ops)',
      title_equality: 'using hash (nfc(title))',
    },
    onInsert: assignSlug('league'),
  },
  'League of a club, played in sessions.',
)
export class League extends TrackedRecord {
  @id('ID of the league.')
  id!: string;

  @text('Slug of the league page, derived from the title. Unique.', {
    ...serviceAssignedTextOptions,
    unique: true,
    readOnly: true,
  })
  slug!: string;

  @text('Title.', { max: 500 })
  title!: string | null;

  @text('URL of the logo.')
  logoUrl!: string | null;

  @ref(() => Club, { one: 'club', many: 'leagues', filterable: ['one'] }, 'Club that organizes the league.')
  clubId!: string | null;

  @text('Title of the club, as sent with the league. It may differ from the title of `club`.')
  clubTitle!: string | null;

  @text('URL of the club logo, as sent with the league.')
  clubLogoUrl!: string | null;

  @ref(() => Format, { one: 'format' }, 'Format, such as singles or doubles.', { index: false })
  formatId!: string | null;

  @text('Title of the format, as sent with the league. It may differ from the title of `format`.')
  formatTitle!: string | null;

  @ref(() => PlayerGroup, { one: 'playerGroup' }, 'Group of players who can take part, such as women, men or mixed.', {
    index: false,
  })
  playerGroupId!: string | null;

  @text('Title of the player group, as sent with the league. It may differ from the title of `playerGroup`.')
  playerGroupTitle!: string | null;

  @text('ID of the league type on the platform. Not an ID in this graph.')
  typeId!: string | null;

  @text('Title of the league type. Free text.')
  typeTitle!: string | null;

  @text('ID of the player type on the platform. Not an ID in this graph.')
  playerTypeId!: string | null;

  @text('Title of the player type. Free text.')
  playerTypeTitle!: string | null;

  @group(() => Place, 'Location of the league.')
  location!: Place;

  @text('ID of the location on its platform. Not an ID in this graph.')
  locationId!: string | null;

  @offsetInText(
    'UTC offset in seconds, negative west of Greenwich. Can be sent in hours, minutes or seconds: the unit is derived from the size of the number.',
  )
  utcOffset!: string | null;

  @flag('Whether the location observes daylight saving time.')
  hasDaylightSaving!: boolean;

  @text('ID of the session on its platform. Not an ID in this graph.')
  sessionId!: string | null;

  @integerInText('Number of the session, starting at 1.')
  sessionNumber!: string | null;

  @flag('Whether the session is being played.')
  isLiveSession!: boolean;

  @flag('Whether players arrange the times of their matches themselves.')
  isFlexPlay!: boolean;

  @instant('Start of the period in which pages show the league to the public. Not enforced: lists include it at any time.')
  shownFrom!: string | null;

  @instant('When registration opens.')
  registrationOpensAt!: string | null;

  @instant('When registration closes.')
  registrationClosesAt!: string | null;

  @choice(signupMethods, 'How players sign up and pay.')
  signup!: string | null;

  @flag('Whether online registration is available.')
  hasOnlineRegistration!: boolean;

  @flag('Whether players who are not members of the club may sign up.')
  allowsNonMembers!: boolean;

  @text('Currency of fees (ISO 4217).', { nameReference: currencyReference })
  currency!: string | null;

  @money('Registration fee for members of the club, in `currency`.')
  memberFee!: string | null;

  @money('Registration fee for players who are not members of the club, in `currency`.')
  nonMemberFee!: string | null;

  @integerInText('Number of registered players, as last set by a client.')
  registrationCount!: string | null;

  @flag('Whether the league is marked as locked. Not enforced by the service: the league can still be changed.')
  isLocked!: boolean;

  @flag('Whether the league is read-only. Not enforced by the service.')
  isReadOnly!: boolean;

  @flag('Whether the league is a test. `search` excludes tests.')
  isTest!: boolean;

  @instant('When the league was disabled. Set to null to enable it again.')
  disabledAt!: string | null;

  @text('Name of the person who disabled the league, as sent by the client. For the user, see `disabler`.')
  disabledBy!: string | null;

  @actionUser('disabler', 'User who set `disabledAt`. Null if the user is unknown, or if it was not set by a user.', {
    instantField: 'disabledAt',
  })
  disabledById!: string | null;

  @filterableCreator()
  override createdById!: string | null;
}
