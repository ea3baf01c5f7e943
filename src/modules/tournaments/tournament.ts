import { expression, indexedRow } from '../../kernel/declare/expression.js';
import { integerInNumber } from '../../kernel/declare/fields/converted-fields.js';
import { flag, group, id, instant, listOf, money, num, ref, text } from '../../kernel/declare/fields/fields.js';
import { visitor } from '../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../kernel/declare/policy/writers.js';
import { record } from '../../kernel/declare/record.js';
import { choice } from '../../kernel/declare/scalars/choices.js';
import { filterableCreator, type Reported, reportedHistory, TrackedRecord } from '../../kernel/declare/tracked-record.js';
import { platformTitleReference } from '../accounts/platforms/platform.js';
import { Club } from '../leagues/club.js';
import { currencyReference, Place, timeZoneReference } from '../reference/records/locations.js';
import { TierLevel } from '../reference/records/tournament-lookups.js';
import { playerListVisibilities, playFormats } from './choices.js';
import { daysRange, registrationRange } from './dates/date-ranges-sql.js';
import { canRegisterForAny } from './entries/can-register.js';
import { announceCancellation, announceDates } from './notify-registered-players.js';
import { GoverningBodyApproval, Sanction } from './sanction.js';
import { newTournamentCodes, seesRefereeCode } from './tournament-codes.js';
import { tournamentFilters } from './tournament-filters.js';
import { ScoreCard, TitleSponsor, TournamentContact } from './tournament-values.js';

export { hidPlayersAt } from './players/hidden-players-sql.js';
export { canReadPlayers, showsPlayers, tournamentColumns, visiblePlayers } from './players/visible-players.js';

@record(
  {
    table: 'tournament',
    one: 'tournament',
    many: 'tournaments',
    read: [visitor],
    write: { policies: staffPolicies() },
    versioned: true,
    hasRowCount: true,
    order: [{ field: 'startsAt', direction: 'ASC' }],
    names: ['title'],
    nameTable: 'tournament_name',
    wordTable: 'tournament_word',
    derivedTables: ['deleted_hidden_tournament', 'hidden_players_period'],
    location: {
      latitude: 'location.latitude',
      longitude: 'location.longitude',
      indexedColumns: ['firstDayStartsAt', 'lastDayEndsAt', 'startsAt', 'id'],
    },
    search: { nameKey: 'location.state' },
    searchable: (_, row) => expression`not ${row}.is_test and not ${row}.hides_from_search`,
    filters: tournamentFilters,
    indexes: {
      // The index includes the columns that filters and orders read, to allow index-only scans.
      start: '(starts_at, id) include (first_day_starts_at, last_day_ends_at)',
      days: `using gist (${daysRange(indexedRow).structure}) include (first_day_starts_at, last_day_ends_at, starts_at, effective_ends_at, is_canceled, id)`,
      registration: `using gist (${registrationRange(indexedRow).structure}) include (registration_opens_at, registration_closes_at, starts_at, is_registration_closed, is_canceled, id)`,
      effective_ends_at: '(effective_ends_at)',
      featured: '(starts_at, id) where is_featured',
      prize_money: '(starts_at, id) where has_prize_money',
      sanctions: 'using gin (sanctions jsonb_path_ops)',
      approvals: 'using gin (approvals jsonb_path_ops)',
    },
    canSeePrivateFields: seesRefereeCode,
    actionRules: { register: canRegisterForAny },
    onInsert: newTournamentCodes,
    onChange: [announceDates, announceCancellation],
  },
  'Tournament, with its dates, location, registration and sanctions.',
)
export class Tournament extends TrackedRecord {
  @id('ID of the tournament.')
  id!: string;

  @text('Public code of the tournament, in capitals. Unique, assigned by the server.', {
    required: true,
    default: 'upper(substr(md5((random())::text), 1, 8))',
    unique: true,
    readOnly: true,
    isUpperCase: true,
  })
  code!: string;

  @text(
    'Code that opens the tournament in the score app for referees, in capitals. Unique, assigned by the server. Visible to platforms and users with the role REFEREE or ADMIN. Null for other callers.',
    { unique: true, readOnly: true, private: true, isUpperCase: true },
  )
  refereeCode!: string | null;

  @ref(() => Club, { one: 'club', many: 'tournaments', filterable: ['one', 'many'] }, 'Club that organizes the tournament.')
  clubId!: string | null;

  @text('Name of the platform that the tournament comes from. Free text.', { nameReference: platformTitleReference })
  platform!: string | null;

  @text('Public title.')
  title!: string | null;

  @text('URL of the page with details.')
  detailsUrl!: string | null;

  @choice(playFormats, 'Format of play.')
  format!: string | null;

  @text('URL of the logo.')
  logoUrl!: string | null;

  @text('URL of the logo for the scroller on the home page.')
  scrollerLogoUrl!: string | null;

  @text('URL where spectators buy tickets.')
  ticketsUrl!: string | null;

  @group(() => Place, 'Location of the tournament.')
  location!: Place;

  @group(() => TournamentContact, 'Texts of the contact form, and the public contact.')
  contact!: TournamentContact;

  @instant('When play starts on the first day.')
  startsAt!: string | null;

  @instant(
    'When play ends on the last day. Midnight in `timeZone` means the end of that day. Null means the end of the day of `startsAt`.',
    { index: true },
  )
  endsAt!: string | null;

  @instant('Start of the first day, in the time zone of the tournament.', {
    secret: true,
    readOnly: true,
    isComputed: true,
  })
  firstDayStartsAt!: string | null;

  @instant('End of the last day, in the time zone of the tournament.', { secret: true, readOnly: true, isComputed: true })
  lastDayEndsAt!: string | null;

  @instant('Instant at which the tournament ends: `endsAt`, or the end of the day if `endsAt` is midnight or null.', {
    secret: true,
    readOnly: true,
    isComputed: true,
  })
  effectiveEndsAt!: string | null;

  @instant('When registration opens.')
  registrationOpensAt!: string | null;

  @instant('When registration closes.')
  registrationClosesAt!: string | null;

  @instant('Start of the period in which pages show the tournament to the public. Not enforced: lists include it at any time.')
  shownFrom!: string | null;

  @instant('End of the period in which pages show the tournament to the public. Not enforced: lists include it at any time.')
  shownUntil!: string | null;

  @instant('When the tournament was archived. Null if it is not archived. Archived tournaments do not accept registrations.')
  archivedAt!: string | null;

  @instant('When the tournament was completed.')
  completedAt!: string | null;

  @reportedHistory()
  reported!: Reported;

  @instant(
    'Time after which the tournament is marked as locked. Not enforced by the service: the tournament can still be changed.',
  )
  lockedAt!: string | null;

  @instant(
    'Start of the period in which the tournament is advertised but does not accept registrations. Not enforced: see `isAdvertiseOnly`.',
  )
  advertisedFrom!: string | null;

  @instant(
    'End of the period in which the tournament is advertised but does not accept registrations. Not enforced: see `isAdvertiseOnly`.',
  )
  advertisedUntil!: string | null;

  @text('IANA name of the time zone, such as America/Chicago. Null and unknown names mean UTC.', {
    nameReference: timeZoneReference,
  })
  timeZone!: string | null;

  @text('Abbreviation of the time zone, such as CST. Free text.')
  timeZoneAbbreviation!: string | null;

  @num('Number of the time zone on the platform. Use `timeZone` instead.', { legacyOnlyName: 'timeZoneNumber' })
  timeZoneNumberRaw!: number | null;

  @money('Current fee for a registration, in `currency`.')
  registrationFee!: string | null;

  @text('Currency of payments (ISO 4217).', { nameReference: currencyReference })
  currency!: string | null;

  @flag('Whether there is a fee for each event.')
  chargesPerEvent!: boolean;

  @flag('Whether there is prize money.')
  hasPrizeMoney!: boolean;

  @integerInNumber(
    'Number of registered players, as last set by a client. For the number of registrations in this service, use `registrations { totalCount }`.',
  )
  registrationCount!: number | null;

  @flag('Whether registration is closed, regardless of its dates.')
  isRegistrationClosed!: boolean;

  @flag('Whether online registration is available.')
  hasOnlineRegistration!: boolean;

  @flag('Whether the tournament is canceled.')
  isCanceled!: boolean;

  @flag('Whether the tournament is featured.')
  isFeatured!: boolean;

  @flag('Whether the tournament is featured with the larger card.')
  isFeaturedPlus!: boolean;

  @flag('Whether the tournament is a test. `search` excludes tests.')
  isTest!: boolean;

  @flag('Whether the tournament is only advertised here. Registration takes place elsewhere.')
  isAdvertiseOnly!: boolean;

  @flag(
    'Whether the players are hidden. If so, teams, registrations, entries, standings and ranking points of the tournament are visible only to the players themselves, platforms, admins and referees.',
  )
  hidesPlayers!: boolean;

  @choice(playerListVisibilities, 'Visibility of the list of players. `HIDDEN` has the same effect as `hidesPlayers`.')
  playerListVisibility!: string | null;

  @flag(
    'Whether search pages hide the tournament. `search` excludes it. Not enforced elsewhere: lists include it unless they are filtered by this field.',
  )
  hidesFromSearch!: boolean;

  @group(() => ScoreCard, 'Settings of the digital score card.')
  scoreCard!: ScoreCard;

  @group(() => TitleSponsor, 'Title sponsor.')
  titleSponsor!: TitleSponsor;

  @flag('Whether preliminary results are sent to the partner organization.')
  sendsPreliminaryToPartner!: boolean;

  @flag("Whether the tournament uses the partner organization's sports platform.")
  usesPartnerSports!: boolean;

  @text("ID of the club's sanction level on its platform. Not an ID in this graph.")
  clubSanctionLevelId!: string | null;

  @ref(() => TierLevel, { one: 'tierLevel' }, 'Tier in the rankings.')
  tierLevelId!: string | null;

  @listOf(() => Sanction, 'Sanctions by governing bodies. One item per body.', { mergeKey: 'body' })
  sanctions!: Sanction[];

  @listOf(() => GoverningBodyApproval, 'Approvals by governing bodies, in the order in which they were sent.')
  approvals!: GoverningBodyApproval[];

  @filterableCreator()
  override createdById!: string | null;
}
