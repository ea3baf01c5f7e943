import { choice } from '../../kernel/declare/choices.js';
import { flag, group, id, instant, listOf, money, num, ref, text } from '../../kernel/declare/fields.js';
import { filterableCreator, Kept, type Reported, reported } from '../../kernel/declare/kept.js';
import { visitor } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { wholeNumber } from '../../kernel/declare/shown-fields.js';
import { staff } from '../../kernel/declare/writers.js';
import { namesPlatform } from '../accounts/platform.js';
import { Club } from '../leagues/club.js';
import { namesCurrency } from '../reference/currency.js';
import { Place } from '../reference/place.js';
import { TierLevel } from '../reference/tier-level.js';
import { namesTimeZone } from '../reference/time-zone.js';
import { announceCancellation } from './announce-cancellation.js';
import { announceDates } from './announce-dates.js';
import { assignCodes } from './assign-codes.js';
import { playerListVisibilities, playFormats } from './choices.js';
import { daysOf, registrationOf } from './days-sql.js';
import { registeringForAny } from './may-register.js';
import { GoverningBodyApproval, Sanction } from './sanction.js';
import { seesRefereeCode } from './sees-referee-code.js';
import { tournamentFilters } from './tournament-filters.js';
import { ScoreCard, TitleSponsor, TournamentContact } from './tournament-values.js';

export { competition, showsPlayers, visiblePlayers } from './visible-players.js';

@record(
  {
    table: 'tournament',
    one: 'tournament',
    many: 'tournaments',
    read: [visitor],
    write: { by: staff() },
    versioned: true,
    counted: true,
    order: [{ field: 'startsAt', direction: 'ASC' }],
    names: ['title'],
    nameTable: 'tournament_name',
    wordTable: 'tournament_word',
    derivedTables: ['deleted_hidden_tournament'],
    place: {
      latitude: 'location.latitude',
      longitude: 'location.longitude',
      beside: ['firstDayBeginsAt', 'lastDayEndsAt', 'startsAt', 'id'],
    },
    search: { named: 'location.state' },
    findable: () => 'not r.is_test and not r.hides_from_search',
    filters: tournamentFilters,
    indexes: {
      // With what their filters ask for and lists are ordered by, so that no row is read that is not shown.
      start: '(starts_at, id) include (first_day_begins_at, last_day_ends_at)',
      days: `using gist (${daysOf()}) include (first_day_begins_at, last_day_ends_at, starts_at, over_at, is_canceled, id)`,
      registration: `using gist (${registrationOf()}) include (registration_opens_at, registration_closes_at, starts_at, is_registration_closed, is_canceled, id)`,
      over: '(over_at)',
      featured: '(starts_at, id) where is_featured',
      prize_money: '(starts_at, id) where has_prize_money',
      sanctions: 'using gin (sanctions jsonb_path_ops)',
      approvals: 'using gin (approvals jsonb_path_ops)',
    },
    shows: seesRefereeCode,
    can: { register: registeringForAny },
    onInsert: assignCodes,
    onChange: [announceDates, announceCancellation],
  },
  'A tournament: when and where it takes place, who sanctions it, how one enters.',
)
export class Tournament extends Kept {
  @id('Id of the tournament.')
  id!: string;

  @text('Code under which the tournament is known to players, in capitals, assigned by the server, unique.', {
    required: true,
    default: 'upper(substr(md5((random())::text), 1, 8))',
    unique: true,
    readOnly: true,
    capitals: true,
  })
  code!: string;

  @text(
    'Code with which referees enter the score app, in capitals, assigned by the server, unique. Shown to platforms and to users with the role REFEREE or ADMIN, null to others.',
    { unique: true, readOnly: true, private: true, capitals: true },
  )
  refereeCode!: string | null;

  @ref(() => Club, { one: 'club', many: 'tournaments', filterable: ['one', 'many'] }, 'Club that organizes it.')
  clubId!: string | null;

  @text('Name of the platform from which it comes: free text.', { named: namesPlatform })
  platform!: string | null;

  @text('Public title.')
  title!: string | null;

  @text('URL of the page with the details.')
  detailsUrl!: string | null;

  @choice(playFormats, 'Format of play.')
  format!: string | null;

  @text('URL of the logo.')
  logoUrl!: string | null;

  @text('URL of the logo in the scroller of the home page.')
  scrollerLogoUrl!: string | null;

  @text('URL where tickets for spectators are sold.')
  ticketsUrl!: string | null;

  @group(() => Place, 'Where it takes place.')
  location!: Place;

  @group(() => TournamentContact, 'Texts of the contact form.')
  contact!: TournamentContact;

  @instant('When play starts, on its first day.')
  startsAt!: string | null;

  @instant(
    'When play ends, on its last day. Midnight in `timeZone` stands for the whole of that day, and so does the day of `startsAt` where it is unset.',
    { index: true },
  )
  endsAt!: string | null;

  @instant('When its first day begins, in its own time zone; the database works it out, as the two that follow.', {
    secret: true,
    readOnly: true,
  })
  firstDayBeginsAt!: string | null;

  @instant('When its last day ends, in its own time zone.', { secret: true, readOnly: true })
  lastDayEndsAt!: string | null;

  @instant('From when on it is over: its end, or the end of the day that its end names.', { secret: true, readOnly: true })
  overAt!: string | null;

  @instant('When registration opens.')
  registrationOpensAt!: string | null;

  @instant('When registration closes.')
  registrationClosesAt!: string | null;

  @instant('From when on it is to be shown to the public: for pages to heed, lists have it before, too.')
  shownFrom!: string | null;

  @instant('From when on it is no longer to be shown to the public: for pages to heed, lists have it still.')
  shownUntil!: string | null;

  @instant('When it was archived: filed away for good, and kept; null while it is not.')
  archivedAt!: string | null;

  @instant('When it was completed.')
  completedAt!: string | null;

  @reported()
  reported!: Reported;

  @instant('From when on it should not be changed any more: for pages to heed, the service does not enforce it.')
  lockedAt!: string | null;

  @instant('From when on it is only advertised.')
  advertisedFrom!: string | null;

  @instant('Until when it is only advertised.')
  advertisedUntil!: string | null;

  @text('IANA name of the time zone in which its days are counted, such as America/Chicago; unset or unknown, UTC.', {
    named: namesTimeZone,
  })
  timeZone!: string | null;

  @text('Abbreviation of the time zone, such as CST: free text.')
  timeZoneAbbreviation!: string | null;

  @num('Number of the time zone on the platform. Use `timeZone` instead.', { onlyInLegacy: 'timeZoneNumber' })
  timeZoneNumberRaw!: number | null;

  @money('What a registration costs now, in `currency`.')
  registrationFee!: string | null;

  @text('ISO 4217 code of the currency of payments.', { named: namesCurrency })
  currency!: string | null;

  @flag('Fees are asked for each event.')
  chargesPerEvent!: boolean;

  @flag('Prize money can be won.')
  hasPrizeMoney!: boolean;

  @wholeNumber('How many players have registered, as last reported; `registrations { totalCount }` counts the records kept here.')
  registrationCount!: number | null;

  @flag('Registration is closed, whatever its dates say.')
  isRegistrationClosed!: boolean;

  @flag('One can register online.')
  hasOnlineRegistration!: boolean;

  @flag('It was called off.')
  isCanceled!: boolean;

  @flag('It is featured.')
  isFeatured!: boolean;

  @flag('It is featured with the larger card.')
  isFeaturedPlus!: boolean;

  @flag('It is a test, not for players.')
  isTest!: boolean;

  @flag('It is only advertised: one registers for it elsewhere.')
  isAdvertiseOnly!: boolean;

  @flag(
    'The players are hidden: teams, registrations, entries, standings and ranking points of the tournament are visible only to the players themselves, and to platforms, admins and referees.',
  )
  hidesPlayers!: boolean;

  @choice(playerListVisibilities, 'Visibility of the list of players. `HIDDEN` has the same effect as `hidesPlayers`.')
  playerListVisibility!: string | null;

  @flag(
    'It is to be left out of search pages: `search` leaves it out; for other pages to heed, lists have it unless a filter asks for the others.',
  )
  hidesFromSearch!: boolean;

  @group(() => ScoreCard, 'What the digital score card leaves out.')
  scoreCard!: ScoreCard;

  @group(() => TitleSponsor, 'The sponsor that gives it its name.')
  titleSponsor!: TitleSponsor;

  @flag('Preliminary results are sent to the partner.')
  sendsPreliminaryToPartner!: boolean;

  @flag("It uses the partner's sports platform.")
  usesPartnerSports!: boolean;

  @text("ID of the club's sanction level on its platform. Not the ID of a record in this graph.")
  clubSanctionLevelId!: string | null;

  @ref(() => TierLevel, { one: 'tierLevel' }, 'Tier in the rankings.')
  tierLevelId!: string | null;

  @listOf(() => Sanction, 'What each governing body says of it, one entry for each body.', { mergedBy: 'body' })
  sanctions!: Sanction[];

  @listOf(() => GoverningBodyApproval, 'Approvals by governing bodies, in the order in which they were sent.')
  approvals!: GoverningBodyApproval[];

  @filterableCreator()
  override createdById!: string | null;
}
