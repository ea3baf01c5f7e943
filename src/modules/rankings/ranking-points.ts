import { flag, id, instant, num, ref, text, values } from '../../kernel/declare/fields.js';
import { Kept } from '../../kernel/declare/kept.js';
import { visitor } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { wholeNumber } from '../../kernel/declare/shown-fields.js';
import { staff } from '../../kernel/declare/writers.js';
import { User } from '../accounts/user.js';
import { BracketLevel } from '../reference/bracket-level.js';
import { namesTier } from '../reference/tier-level.js';
import { competition, showsPlayers, Tournament, visiblePlayers } from '../tournaments/tournament.js';
import { TournamentEvent } from '../tournaments/tournament-event.js';
import { checkPoints, completePoints } from './complete-points.js';
import { Division } from './division.js';

@record(
  {
    table: 'ranking_points',
    one: 'rankingPoints',
    many: 'allRankingPoints',
    read: [visitor],
    visible: visiblePlayers({ ...competition, isOwn: (me) => `r.player_id = ${me}` }),
    namesPlayers: { by: ['playerId'], isPublic: showsPlayers(competition) },
    write: { by: staff() },
    rootFields: ['one', 'many', 'update', 'upsert', 'delete'],
    key: ['playerId', 'eventId'],
    lock: 'isLocked',
    order: [
      { field: 'playedAt', direction: 'DESC' },
      { field: 'points', direction: 'DESC' },
    ],
    indexes: {
      window: '(division, played_at)',
      most: '(event_id, points desc nulls last, id)',
      updated_at: '(updated_at desc nulls last, id)',
    },
    check: checkPoints,
    onSave: completePoints,
  },
  'The points that a player earned in an event of a tournament; one record for each player and event. The rankings add them up.',
)
export class RankingPoints extends Kept {
  @id('Id of the record.')
  id!: string;

  @ref(() => User, { one: 'player', many: 'rankingPoints', filterable: ['one'] }, 'The player.')
  playerId!: string | null;

  @text(
    'Full name of the player as sent with the points, which may differ from that of the user; `shownName` is the one to show.',
    { max: 500 },
  )
  playerName!: string | null;

  @ref(() => Tournament, { one: 'tournament', many: 'rankingPoints', filterable: ['one'] }, 'The tournament.')
  tournamentId!: string | null;

  @text('Title of the tournament as sent with the points.', { max: 500 })
  tournamentTitle!: string | null;

  @ref(() => TournamentEvent, { one: 'event', many: 'rankingPoints', filterable: ['one'] }, 'The event.', { index: false })
  eventId!: string | null;

  @text('Title of the event as sent with the points, such as Mixed Doubles Pro; `division` is read from it.', { max: 500 })
  eventTitle!: string | null;

  @values(Division, 'The division that the title of the event names.', { required: true, readOnly: true, default: "'OTHER'" })
  division!: Division;

  @instant('When the event was played; it decides for which rankings the points count.', { index: true })
  playedAt!: string | null;

  @ref(() => BracketLevel, { one: 'bracketLevel' }, 'Level of play.', { index: false })
  bracketLevelId!: string | null;

  @wholeNumber('Kind of the points: a number without fixed values, each platform uses its own.')
  type!: number | null;

  @num('How many points, fractions allowed.')
  points!: number | null;

  @wholeNumber('Number of the last round that the player reached.')
  lastMatchRound!: number | null;

  @text('Name of the last round that the player reached, such as Semifinal.', { max: 500 })
  lastMatchRoundTitle!: string | null;

  @instant("When the player's last match was completed.")
  lastMatchCompletedAt!: string | null;

  @text("Id of the player's last match on the platform; no record of this graph has it.", { max: 255 })
  lastMatchId!: string | null;

  @text('Tier of the tournament as sent with the points: free text.', { max: 500, named: namesTier })
  tierLevel!: string | null;

  @ref(
    () => Tournament,
    { one: 'cancelsOutTournament' },
    'The tournament whose points do not count for the player beside these, as long as these count: mostly an earlier edition.',
    { index: false },
  )
  cancelsOutTournamentId!: string | null;

  @flag('The points do not count in the rankings, and cancel nothing out.')
  isIgnored!: boolean;

  @flag('The record is locked: nobody changes or deletes it until a platform or a super admin sets this to false.')
  isLocked!: boolean;
}
