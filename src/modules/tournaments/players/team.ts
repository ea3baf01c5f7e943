import { expression, type RowReference, type SqlExpression, tableNamed } from '../../../kernel/declare/expression.js';
import { integerInNumber, integerInText } from '../../../kernel/declare/fields/converted-fields.js';
import { id, num, ref } from '../../../kernel/declare/fields/fields.js';
import { recordNamed } from '../../../kernel/declare/meta.js';
import { visitor } from '../../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { Platform } from '../../accounts/platforms/platform.js';
import { User } from '../../accounts/users/user.js';
import { Tournament } from '../tournament.js';
import { TournamentEvent } from '../tournament-event.js';
import { showsPlayers, tournamentColumns, visibleTeams } from './visible-players.js';

/** Returns the SQL expression for the start of a team's event, or of the tournament if the event has no start. */
const startOfEvent = (team: RowReference): SqlExpression =>
  expression`coalesce((select e.starts_at from ${tableNamed('tournament_event')} e where e.id = ${team}.event_id),
    (select t.starts_at from ${tableNamed('tournament')} t where t.id = ${team}.tournament_id))`;

@record(
  {
    table: 'team',
    changeLogColumns: ['tournamentId', 'eventId'],
    one: 'team',
    many: 'teams',
    read: [visitor],
    visibleCondition: visibleTeams,
    publicUsers: { columns: ['playerOneId', 'playerTwoId'], isPublic: showsPlayers(tournamentColumns) },
    write: { policies: staffPolicies() },
    hasRowCount: true,
    orders: {
      EVENT_STARTS_AT: {
        description: 'Start of the event, or of the tournament if the event has no start.',
        sql: startOfEvent,
      },
    },
    onSave: (values, { caller }) => ({ ...values, platformId: caller.platform?.id }),
  },
  'Single player or pair in a tournament event.',
)
export class Team extends TrackedRecord {
  @id('ID of the team.')
  id!: string;

  @ref(() => User, { one: 'playerOne', many: 'teamsAsPlayerOne', filterable: ['one'] }, 'First player.')
  playerOneId!: string | null;

  @ref(() => User, { one: 'playerTwo', many: 'teamsAsPlayerTwo', filterable: ['one'] }, 'Second player. Null in singles.')
  playerTwoId!: string | null;

  @integerInNumber('Rank among the teams of the event. 1 is the best.')
  ranking!: number | null;

  @num('Rating of the team, such as 4.25.')
  rating!: number | null;

  @integerInNumber('Seed in the draw. 1 is the highest.')
  seed!: number | null;

  @integerInNumber('Rank of the first player. 1 is the best.')
  playerOneRank!: number | null;

  @num('Rating of the first player, such as 4.25.')
  playerOneRating!: number | null;

  @integerInNumber('Rank of the second player. 1 is the best.')
  playerTwoRank!: number | null;

  @num('Rating of the second player, such as 4.25.')
  playerTwoRating!: number | null;

  @ref(() => TournamentEvent, { one: 'event', many: 'teams', filterable: ['one', 'many'] }, 'Event that the team plays in.')
  eventId!: string | null;

  @ref(() => Tournament, { one: 'tournament', many: 'teams', filterable: ['one', 'many'] }, 'Tournament that the team plays in.')
  tournamentId!: string | null;

  @integerInText('Number of rated games that the team has played.')
  ratingGamesPlayed!: string | null;

  @ref(() => recordNamed('EventRegistration'), { one: 'registrationOne' }, 'Event registration of the first player.', {
    index: false,
  })
  registrationOneId!: string | null;

  @ref(() => recordNamed('EventRegistration'), { one: 'registrationTwo' }, 'Event registration of the second player.', {
    index: false,
  })
  registrationTwoId!: string | null;

  @ref(() => Platform, { one: 'platform' }, 'Platform that last wrote the team.', { index: false, readOnly: true })
  platformId!: string | null;
}
