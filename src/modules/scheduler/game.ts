import { emailForm } from '../../kernel/declare/email.js';
import { flag, group, id, instant, prose, ref, refs, text, texts, values } from '../../kernel/declare/fields.js';
import { Kept } from '../../kernel/declare/kept.js';
import { offsetInNumber } from '../../kernel/declare/offset-fields.js';
import { platform, user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { localTime, wholeNumber } from '../../kernel/declare/shown-fields.js';
import { User } from '../accounts/user.js';
import { Place } from '../reference/place.js';
import { namesTimeZone } from '../reference/time-zone.js';
import { announceChange } from './announce-change.js';
import { gameDay } from './game-day.js';
import { gameFilters } from './game-filters.js';
import { GameGroup } from './game-group.js';
import { GameAge, GameGenders, GameRepeat, GameSkill, GameTypes } from './game-values.js';

import { gameWriters, managing } from './manages.js';
import { repeating } from './repeating.js';
import { seesPlayers } from './sees-players.js';
import { visibleGames } from './visible-games.js';

@record(
  {
    table: 'game',
    changesBy: ['isInviteOnly', 'ownerId'],
    one: 'game',
    many: 'games',
    read: [platform, user],
    write: gameWriters,
    can: { update: managing, delete: managing },
    rootFields: ['one', 'many'],
    visible: visibleGames,
    versioned: true,
    restricted: seesPlayers,
    key: ['parentId', 'occursOn'],
    names: ['title'],
    place: { latitude: 'location.latitude', longitude: 'location.longitude' },
    filters: gameFilters,
    indexes: { start: '(coalesce(starts_at, day))', repeating: `(id) where ${repeating.replaceAll('r.', '')}` },
    onChange: announceChange,
  },
  'A game that a player schedules and others join. Games by invitation are seen by their owner, by who plays, waits or is invited, and by super admins only.',
)
export class Game extends Kept {
  @id('Id of the game, assigned by the server.')
  id!: string;

  @ref(
    () => User,
    { one: 'owner', many: 'scheduledGames', manyDescription: 'The games that the person schedules.', filterable: ['one'] },
    'Whose game it is.',
    { isLasting: true },
  )
  ownerId!: string | null;

  @text(
    'Id of the court or location on its platform, which a favorite of the kind COURT names as well; no record of this graph has it.',
    {
      max: 255,
      index: true,
      letters: 'exact',
    },
  )
  courtId!: string | null;

  @group(() => Place, 'Where it is played.')
  location!: Place;

  @text('Title.', { max: 500 })
  title!: string | null;

  @prose('What the players should know.')
  description!: string | null;

  @gameDay('The day on which it is played, as the calendar of its time zone has it; it counts where `startsAt` is unset.')
  day!: string | null;

  @instant(
    'The moment of its day that platforms send by the clocks of its time zone, written as if these were those of UTC: worked out, unless it is sent.',
    { onlyInLegacy: 'localDay' },
  )
  localDayRaw!: string | null;

  @instant('When it starts.')
  startsAt!: string | null;

  @instant('When it ends.')
  endsAt!: string | null;

  @localTime('When it starts, by the clocks of its time zone: worked out, unless it is sent.')
  localStartsAt!: string | null;

  @localTime('When it ends, by the clocks of its time zone: worked out, unless it is sent.')
  localEndsAt!: string | null;

  @text('IANA name of the time zone, such as America/Chicago.', { max: 255, named: namesTimeZone })
  timeZone!: string | null;

  @text('Abbreviation of the time zone, such as CST: free text.', { max: 255 })
  timeZoneAbbreviation!: string | null;

  @offsetInNumber(
    'Seconds ahead of UTC as sent, in hours, minutes or seconds, which its size tells apart. If none is sent: that of `timeZone` at the start.',
  )
  utcOffset!: number | null;

  @flag(
    'It is played again and again, as often as `repeats` says: the service makes the games of the next 60 days from it, and goes on every day.',
  )
  isRepeated!: boolean;

  @values(
    GameRepeat,
    'How often, at the same time by the clocks of its time zone. In a month that lacks the day, the last day of the month stands for it.',
  )
  repeats!: GameRepeat | null;

  @ref(
    () => Game,
    {
      one: 'parent',
      many: 'repetitions',
      manyDescription:
        'The games that repeat it. Each has the values and invitations that the first one had when it was made, but nobody has opted in yet, except the owner who plays in the first one.',
      filterable: ['one'],
    },
    'The game that it repeats. It is a game of its own: what becomes of the first one later does not change it, unless that is deleted before it begins.',
    { readOnly: true },
  )
  parentId!: string | null;

  @text('As a repetition: its date where it is played, by the series.', { max: 10, secret: true, readOnly: true })
  occursOn!: string | null;

  @texts('Dates on which it is not repeated, because the game of that date was deleted.', {
    max: 10,
    secret: true,
    readOnly: true,
  })
  skippedDays!: string[];

  @ref(() => GameGroup, { one: 'group', many: 'games', filterable: ['one'] }, 'The group whose game it is.')
  groupId!: string | null;

  @group(() => GameTypes, 'What is played.')
  types!: GameTypes;

  @group(() => GameSkill, 'How well the players should play; nobody is kept out by it.')
  skill!: GameSkill;

  @group(() => GameAge, 'How old the players should be; nobody is kept out by it.')
  age!: GameAge;

  @group(() => GameGenders, 'Who should play; nobody is kept out by it.')
  genders!: GameGenders;

  @flag('Only for players with a partner: for pages to heed, nobody is kept out.')
  isPartnersOnly!: boolean;

  @wholeNumber('Fewest players that it needs; with fewer it is not called off by itself.')
  minPlayers!: number | null;

  @wholeNumber('Most players, 1 or more; unset where there is no limit, which `/v1` writes as 0.')
  maxPlayers!: number | null;

  @wholeNumber('Number of players in all, as sent; `playerCount` tells how many opted in.')
  totalPlayers!: number | null;

  @flag('Who finds it full waits for a place.')
  hasWaitingList!: boolean;

  @flag('A free place stays free: nobody moves up from the waiting list by itself.')
  isWaitingListManual!: boolean;

  @flag('Only who is invited sees and joins it.')
  isInviteOnly!: boolean;

  @flag(
    'Everybody who sees the game may see who plays, waits and is invited. Otherwise only those who opted in, its owner, admins, and platforms that act for no user: others find these lists empty, and only the counts.',
  )
  showsPlayersToInvited!: boolean;

  @flag('Players may add notes.')
  allowsPlayerNotes!: boolean;

  @flag('Others than players may add notes.')
  allowsOtherNotes!: boolean;

  @flag('The owner has agreed to the waiver of liability.')
  isWaiverAccepted!: boolean;

  @instant('When it was archived: filed away for good, and kept; null while it is not.')
  archivedAt!: string | null;

  @refs(
    () => User,
    { list: 'players', many: 'games', manyDescription: 'The games that the person plays in.', filterable: ['list', 'many'] },
    'Who plays, in the order in which they joined; empty for whom the game does not show it.',
  )
  playerIds!: string[];

  @refs(
    () => User,
    { list: 'waitingPlayers', many: 'awaitedGames', manyDescription: 'The games in which the person waits for a place.' },
    'Who waits for a place, first come first; empty for whom the game does not show it.',
    { readOnly: true },
  )
  waitingIds!: string[];

  @refs(
    () => User,
    { list: 'invitedPlayers', filterable: ['list'] },
    'Who is invited, by id; empty for whom the game does not show it. Who is invited by an e-mail address is not listed, which would tell whose it is: their `User.gameInvitations` has the game.',
  )
  invitedIds!: string[];

  // So many keep one request from writing to half the world.
  @texts('E-mail addresses that are invited; shown to platforms and to the owner, empty for others.', {
    max: 254,
    form: emailForm,
    most: [100, 'e-mail addresses'],
    private: true,
  })
  invitedEmails!: string[];

  @texts('The addresses in lower case, each once.', { max: 254, secret: true, readOnly: true, index: true })
  invitedAddresses!: string[];

  @texts('Ids of the users behind the addresses.', { max: 255, secret: true, readOnly: true, index: true })
  invitedByEmailIds!: string[];

  @refs(
    () => User,
    { list: 'declinedPlayers' },
    'Users who were invited by ID and declined; empty for callers to whom the game does not show its players. `inviteToGame` invites them again.',
    { readOnly: true },
  )
  declinedIds!: string[];

  @texts(
    'Invited e-mail addresses whose owners declined, in lower case; shown to platforms and to the owner, empty for others.',
    {
      max: 254,
      private: true,
      readOnly: true,
    },
  )
  declinedEmails!: string[];

  @text('Key of the values in links of invitation mails.', {
    max: 255,
    secret: true,
    readOnly: true,
    required: true,
    default: '(gen_random_uuid())::text',
  })
  invitationKey!: string;
}
