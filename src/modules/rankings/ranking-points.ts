import { expression } from '../../kernel/declare/expression.js';
import { integerInNumber } from '../../kernel/declare/fields/converted-fields.js';
import { flag, id, instant, num, ref, text, values } from '../../kernel/declare/fields/fields.js';
import type { Values, WriteKind } from '../../kernel/declare/fields/options.js';
import { visitor } from '../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../kernel/declare/policy/writers.js';
import { Problems } from '../../kernel/declare/problems.js';
import { record } from '../../kernel/declare/record.js';
import { TrackedRecord } from '../../kernel/declare/tracked-record.js';
import { User } from '../accounts/users/user.js';
import { BracketLevel } from '../reference/records/event-lookups.js';
import { tierReference } from '../reference/records/tournament-lookups.js';
import { showsPlayers, Tournament, tournamentColumns, visiblePlayers } from '../tournaments/tournament.js';
import { TournamentEvent } from '../tournaments/tournament-event.js';
import { Division, divisionOf } from './division.js';

const isMissing = (id: unknown): boolean => id === undefined || id === null || id === '';

/** Rejects new points that have neither an ID nor a complete natural key, which consists of the player and the event (decision 21). */
function checkPoints({ id, playerId, eventId }: Values, write: WriteKind): void {
  if (write === 'update' || id !== undefined) return;
  const problems = new Problems();
  if (isMissing(playerId)) problems.add('input.playerId', 'the id of a player');
  if (isMissing(eventId)) problems.add('input.eventId', 'the id of an event');
  problems.throwIfAny();
}

/** Sets the division from the title of the event. */
function completePoints({ eventTitle, ...values }: Values): Values {
  return eventTitle === undefined
    ? values
    : { ...values, eventTitle, division: divisionOf(typeof eventTitle === 'string' ? eventTitle : null) };
}

@record(
  {
    table: 'ranking_points',
    one: 'rankingPoints',
    many: 'allRankingPoints',
    read: [visitor],
    visibleCondition: visiblePlayers({
      ...tournamentColumns,
      isOwn: (callerId, row) => expression`${row}.player_id = ${callerId}`,
    }),
    publicUsers: { columns: ['playerId'], isPublic: showsPlayers(tournamentColumns) },
    write: { policies: staffPolicies() },
    rootFields: ['one', 'many', 'update', 'upsert', 'delete'],
    key: ['playerId', 'eventId'],
    lock: 'isLocked',
    order: [
      { field: 'playedAt', direction: 'DESC' },
      { field: 'points', direction: 'DESC' },
    ],
    indexes: {
      window: '(division, played_at)',
      event_points: '(event_id, points desc nulls last, id)',
      updated_at: '(updated_at desc nulls last, id)',
    },
    check: checkPoints,
    onSave: completePoints,
  },
  'Points that a player earned in an event. One record per player and event. The rankings are sums of these points.',
)
export class RankingPoints extends TrackedRecord {
  @id('ID of the record.')
  id!: string;

  @ref(() => User, { one: 'player', many: 'rankingPoints', filterable: ['one'] }, 'Player who earned the points.')
  playerId!: string | null;

  @text(
    'Full name of the player as sent with the points. It may differ from the name of the user. To display a name, use `shownName`.',
    { max: 500 },
  )
  playerName!: string | null;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'rankingPoints', filterable: ['one'] },
    'Tournament in which the points were earned.',
  )
  tournamentId!: string | null;

  @text('Title of the tournament as sent with the points.', { max: 500 })
  tournamentTitle!: string | null;

  @ref(
    () => TournamentEvent,
    { one: 'event', many: 'rankingPoints', filterable: ['one'] },
    'Event in which the points were earned.',
    { index: false },
  )
  eventId!: string | null;

  @text('Title of the event as sent with the points, such as Mixed Doubles Pro. Determines `division`.', { max: 500 })
  eventTitle!: string | null;

  @values(Division, 'Division, derived from `eventTitle`.', { required: true, readOnly: true, default: "'OTHER'" })
  division!: Division;

  @instant('When the event was played. Determines which rankings include the points.', { index: true })
  playedAt!: string | null;

  @ref(() => BracketLevel, { one: 'bracketLevel' }, 'Level of play.', { index: false })
  bracketLevelId!: string | null;

  @integerInNumber('Type of the points. Each platform defines its own numbers.')
  type!: number | null;

  @num('Number of points. May be fractional.')
  points!: number | null;

  @integerInNumber('Number of the last round that the player reached.')
  lastMatchRound!: number | null;

  @text('Name of the last round that the player reached, such as Semifinal.', { max: 500 })
  lastMatchRoundTitle!: string | null;

  @instant("When the player's last match was completed.")
  lastMatchCompletedAt!: string | null;

  @text("ID of the player's last match on the platform. Not an ID in this graph.", { max: 255 })
  lastMatchId!: string | null;

  @text('Title of the tier of the tournament, as sent with the points.', { max: 500, nameReference: tierReference })
  tierLevel!: string | null;

  @ref(
    () => Tournament,
    { one: 'cancelsOutTournament' },
    "Tournament that these points cancel out, such as the previous edition of the same tournament. As long as these points count, the player's points from that tournament do not count.",
    { index: false },
  )
  cancelsOutTournamentId!: string | null;

  @flag('Whether the points are excluded from the rankings. Excluded points do not cancel out the points of another tournament.')
  isIgnored!: boolean;

  @flag(
    'Whether the record is locked. A locked record cannot be changed or deleted until a platform or a super admin sets this field to false.',
  )
  isLocked!: boolean;
}
