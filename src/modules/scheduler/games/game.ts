import { integerInNumber, localTime } from '../../../kernel/declare/fields/converted-fields.js';
import { flag, group, id, instant, longText, ref, refs, text, texts, values } from '../../../kernel/declare/fields/fields.js';
import { offsetInNumber } from '../../../kernel/declare/fields/offset-fields.js';
import { platform, user } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { emailFormat } from '../../../kernel/declare/scalars/email.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { User } from '../../accounts/users/user.js';
import { Place, timeZoneReference } from '../../reference/records/locations.js';
import { GameGroup } from '../groups/game-group.js';
import { isRepeatedGame } from '../occurrences/occurrences.js';
import { announceChange } from './announce-change.js';
import { gameWriters, managerRule, playersRestriction, visibleGames } from './game-access.js';
import { gameDay } from './game-day.js';
import { gameFilters } from './game-filters.js';
import { GameAge, GameGenders, GameRepeat, GameSkill, GameTypes } from './game-values.js';

@record(
  {
    table: 'game',
    changeLogColumns: ['isInviteOnly', 'ownerId', 'playerIds', 'waitingIds', 'invitedIds', 'invitedByEmailIds'],
    one: 'game',
    many: 'games',
    read: [platform, user],
    write: gameWriters,
    actionRules: { update: managerRule, delete: managerRule },
    rootFields: ['one', 'many'],
    visibleCondition: visibleGames,
    versioned: true,
    restriction: playersRestriction,
    key: ['parentId', 'occursOn'],
    names: ['title'],
    location: { latitude: 'location.latitude', longitude: 'location.longitude' },
    filters: gameFilters,
    indexes: { start: '(coalesce(starts_at, day))', repeating: `(id) where ${isRepeatedGame.replaceAll('r.', '')}` },
    onChange: announceChange,
  },
  'Game that a player schedules and others join. Invite-only games are visible only to their owner, their players, users who are waiting or invited, and super admins.',
)
export class Game extends TrackedRecord {
  @id('ID of the game, assigned by the server.')
  id!: string;

  @ref(
    () => User,
    { one: 'owner', many: 'scheduledGames', manyDescription: 'Games that the user has scheduled.', filterable: ['one'] },
    'Owner of the game.',
    { cannotBeCleared: true },
  )
  ownerId!: string | null;

  @text('ID of the court or location on the platform. Favorites of the kind COURT use the same ID. Not an ID in this graph.', {
    max: 255,
    index: true,
    comparison: 'exact',
  })
  courtId!: string | null;

  @group(() => Place, 'Location of the game.')
  location!: Place;

  @text('Title.', { max: 500 })
  title!: string | null;

  @longText('Information for the players.')
  description!: string | null;

  @gameDay('Day of the game, in its time zone. The game also needs a start: see `scheduleGame`.')
  day!: string | null;

  @instant(
    'Instant of `day` as platforms send it: the local time in the time zone of the game, written as if it were UTC. If omitted, the server derives it from `day`.',
    { legacyOnlyName: 'localDay' },
  )
  localDayRaw!: string | null;

  @instant('When the game starts.')
  startsAt!: string | null;

  @instant('When the game ends.')
  endsAt!: string | null;

  @localTime('Start in local time, in the time zone of the game. Derived from `startsAt` unless it is sent.')
  localStartsAt!: string | null;

  @localTime('End in local time, in the time zone of the game. Derived from `endsAt` unless it is sent.')
  localEndsAt!: string | null;

  @text('IANA name of the time zone, such as America/Chicago.', { max: 255, nameReference: timeZoneReference })
  timeZone!: string | null;

  @text('Abbreviation of the time zone, such as CST. Free text.', { max: 255 })
  timeZoneAbbreviation!: string | null;

  @offsetInNumber(
    'Offset from UTC, as sent by the platform in hours, minutes or seconds. Default: the offset of `timeZone` at the start, in seconds.',
  )
  utcOffset!: number | null;

  @flag(
    'Whether the game is repeated at the interval `repeats`. The service creates the games of the next 60 days, and adds further games every day.',
  )
  isRepeated!: boolean;

  @values(
    GameRepeat,
    'Interval of the repetitions. All repetitions start at the same local time. In months that are too short, a monthly game takes place on the last day of the month.',
  )
  repeats!: GameRepeat | null;

  @ref(
    () => Game,
    {
      one: 'parent',
      many: 'repetitions',
      manyDescription:
        'Repetitions of the game. Each has the values and invitations that the first game had when the repetition was created. Players must opt in again, except for an owner who plays in the first game.',
      filterable: ['one'],
    },
    'First game of the series. Later changes to the first game do not affect its repetitions. If the first game is deleted, repetitions that have not started are deleted, too.',
    { readOnly: true },
  )
  parentId!: string | null;

  @text('Date of a repetition in its series, in local time.', { max: 10, secret: true, readOnly: true })
  occursOn!: string | null;

  @texts('Dates on which the game is not repeated, because the repetitions on these dates were deleted.', {
    max: 10,
    secret: true,
    readOnly: true,
  })
  skippedDays!: string[];

  @ref(() => GameGroup, { one: 'group', many: 'games', filterable: ['one'] }, 'Group that the game belongs to.')
  groupId!: string | null;

  @group(() => GameTypes, 'Types of play.')
  types!: GameTypes;

  @group(() => GameSkill, 'Recommended skill. Not enforced.')
  skill!: GameSkill;

  @group(() => GameAge, 'Recommended age. Not enforced.')
  age!: GameAge;

  @group(() => GameGenders, 'Recommended gender. Not enforced.')
  genders!: GameGenders;

  @flag('Whether the game is only for players with a partner. Not enforced by the service.')
  isPartnersOnly!: boolean;

  @integerInNumber('Minimum number of players. A game with fewer players is not canceled automatically.')
  minPlayers!: number | null;

  @integerInNumber('Maximum number of players, 1 or more. Null means no limit, which is 0 in `/v1`.')
  maxPlayers!: number | null;

  @integerInNumber('Total number of players, as sent by the client. For the number of users who opted in, use `playerCount`.')
  totalPlayers!: number | null;

  @flag('Whether users who join a full game are put on a waiting list.')
  hasWaitingList!: boolean;

  @flag('Whether the owner manages the waiting list. If true, users do not move up automatically.')
  isWaitingListManual!: boolean;

  @flag('Whether only invited users can see and join the game.')
  isInviteOnly!: boolean;

  @flag(
    'Whether everybody who can see the game can also see its players, its waiting list and the invited users. If false, only these callers can see the lists: users who opted in, the owner, admins, and platforms without a user token. For other callers, the lists are empty. The counts are always visible.',
  )
  showsPlayersToInvited!: boolean;

  @flag('Whether players may add notes.')
  allowsPlayerNotes!: boolean;

  @flag('Whether users other than players may add notes.')
  allowsOtherNotes!: boolean;

  @flag('Whether the owner has accepted the waiver of liability.')
  isWaiverAccepted!: boolean;

  @instant('When the game was archived. Null if it is not archived. Archiving is permanent.')
  archivedAt!: string | null;

  @refs(
    () => User,
    { list: 'players', many: 'games', manyDescription: 'Games that the user plays in.', filterable: ['list', 'many'] },
    'Players, in the order in which they joined. Empty for callers without permission to see them.',
  )
  playerIds!: string[];

  @refs(
    () => User,
    { list: 'waitingPlayers', many: 'awaitedGames', manyDescription: 'Games in which the user is on the waiting list.' },
    'Users on the waiting list, in the order in which they joined. Empty for callers without permission to see them.',
    { readOnly: true },
  )
  waitingIds!: string[];

  @refs(
    () => User,
    { list: 'invitedPlayers', filterable: ['list'] },
    'Users who were invited by ID. Empty for callers without permission to see them. Excludes users who were invited by email address, because addresses are private. These users see the game in `User.gameInvitations`.',
  )
  invitedIds!: string[];

  // The limit restricts the number of emails per request.
  @texts('Invited email addresses. Visible to the owner, and to platforms that can see the players. Empty for other callers.', {
    max: 254,
    format: emailFormat,
    maxItems: [100, 'email addresses'],
    private: true,
  })
  invitedEmails!: string[];

  @texts('Distinct invited addresses in lower case.', { max: 254, secret: true, readOnly: true, index: true })
  invitedAddresses!: string[];

  @texts('IDs of the users whose addresses are invited.', { max: 255, secret: true, readOnly: true, index: true })
  invitedByEmailIds!: string[];

  @refs(
    () => User,
    { list: 'declinedPlayers' },
    'Users who were invited by ID and declined. Empty for callers without permission to see the players. `inviteToGame` invites them again.',
    { readOnly: true },
  )
  declinedIds!: string[];

  @texts(
    'Invited email addresses that declined, in lower case. Visible to the owner, and to platforms that can see the players. Empty for other callers.',
    {
      max: 254,
      private: true,
      readOnly: true,
    },
  )
  declinedEmails!: string[];

  @text('HMAC key for the links in invitation emails.', {
    max: 255,
    secret: true,
    readOnly: true,
    required: true,
    default: '(gen_random_uuid())::text',
  })
  invitationKey!: string;
}
