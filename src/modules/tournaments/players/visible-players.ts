import {
  anyOf,
  constantSql,
  expression,
  parameter,
  type RowReference,
  type SqlExpression,
  tableNamed,
} from '../../../kernel/declare/expression.js';
import type { RecordOptions } from '../../../kernel/declare/fields/options.js';
import { memoize } from '../../../kernel/declare/memoize.js';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { staffPolicies } from '../../../kernel/declare/policy/writers.js';
import { entryStatuses, playerListVisibilities } from '../choices.js';

type VisibleRows = NonNullable<RecordOptions['visibleCondition']>;

const hiddenList = playerListVisibilities.conversion.toStored('HIDDEN');
const hidesPlayersCondition = constantSql(`(t.hides_players or t.player_list_visibility = '${hiddenList}')`);

/**
 * Returns the SQL sources of the tournaments that hide their players: current tournaments, and deleted tournaments that hid their players
 * until they were deleted. For a past state, also includes tournaments that hid their players at this position in the change log.
 */
const hidingTournaments = ({ position }: RowReference): Record<'from' | 'key' | 'condition', SqlExpression>[] => [
  {
    from: expression`${tableNamed('tournament')} t`,
    key: expression`t.id`,
    condition: expression` and ${hidesPlayersCondition}`,
  },
  { from: expression`${tableNamed('deleted_hidden_tournament')} d`, key: expression`d.id`, condition: expression`` },
  ...(position
    ? [
        {
          from: expression`${tableNamed('hidden_players_period')} h`,
          key: expression`h.tournament_id`,
          condition: expression` and h.started_position < ${position} and h.ended_position >= ${position}`,
        },
      ]
    : []),
];

/** Returns SQL conditions. If the tournament with this ID hides its players, at least one of them is true. */
export const tournamentHides = (id: SqlExpression, row: RowReference): SqlExpression[] =>
  hidingTournaments(row).map(
    ({ from, key, condition }) => expression`exists (select from ${from} where ${key} = ${id}${condition})`,
  );

/** Like `tournamentHides`, but for the tournament of a row in another table, which must have the column `tournament_id`. */
const tournamentOfRowHides = (tableName: string, id: SqlExpression, row: RowReference): SqlExpression[] =>
  hidingTournaments(row).map(
    ({ from, key, condition }) =>
      expression`exists (select from ${tableNamed(tableName)} g join ${from} on ${key} = g.tournament_id where g.id = ${id}${condition})`,
  );

const eventHides = (id: SqlExpression, row: RowReference): SqlExpression[] =>
  ['tournament_event', 'deleted_event'].flatMap((table) => tournamentOfRowHides(table, id, row));

/** Whether the caller sees the players of all tournaments. */
const seesAllPlayers = (caller: Caller): boolean => staffPolicies('REFEREE').some((policy) => policy.permitsCaller(caller));

/** Settings with which a tournament can hide its players. */
interface PlayerVisibility {
  readonly hidesPlayers: boolean;
  readonly playerListVisibility: string | null;
}

/** Whether the caller can see the players of a tournament. */
export const canReadPlayers = (caller: Caller, { hidesPlayers, playerListVisibility }: PlayerVisibility): boolean =>
  seesAllPlayers(caller) || !(hidesPlayers || playerListVisibility === hiddenList);

/** Columns that connect a row to its tournament. */
interface Competition {
  readonly tournament?: string;
  /** Column with the event ID. The event can be missing, because `/v1` does not send events. */
  readonly event?: string;
  /** Column with the ID of the registration for the tournament. */
  readonly registration?: string;
  readonly team?: string;
}

interface Participation extends Competition {
  /** SQL condition that the row is about the user with this ID. */
  readonly isOwn: (callerId: SqlExpression, row: RowReference) => SqlExpression;
}

/**
 * Returns the SQL condition that the row does not belong to a tournament that hides its players. Memoized for each row, which saves a third
 * of the time needed to build the statement for a list of teams.
 */
export const showsPlayers = ({ tournament, event, registration, team }: Competition) =>
  memoize((row: RowReference): SqlExpression => {
    const hidingConditions = [
      ...(tournament ? tournamentHides(row.column(tournament), row) : []),
      ...(event ? eventHides(row.column(event), row) : []),
      ...(registration ? tournamentOfRowHides('registration', row.column(registration), row) : []),
      ...(team ? tournamentOfRowHides('team', row.column(team), row) : []),
    ];
    return expression`not (${anyOf(hidingConditions)})`;
  });

/**
 * Returns the SQL condition for visible rows that name players of a tournament. If the tournament hides its players, users see only rows
 * about themselves, and visitors see none. Platforms, admins and referees see all rows.
 */
export function visiblePlayers({ isOwn, ...competition }: Participation): VisibleRows {
  const showsPlayersOf = showsPlayers(competition);
  return (caller, row) => {
    if (seesAllPlayers(caller)) return null;
    const ownCondition = caller.user ? [isOwn(parameter(caller.user.id), row)] : [];
    return expression`(${anyOf([showsPlayersOf(row), ...ownCondition])})`;
  };
}

/** Columns that connect teams and ranking points to their tournament. */
export const tournamentColumns: Competition = { tournament: 'tournament_id', event: 'event_id' };

export const visibleTeams: VisibleRows = visiblePlayers({
  ...tournamentColumns,
  isOwn: (callerId, row) => expression`${callerId} in (${row}.player_one_id, ${row}.player_two_id)`,
});

export const visibleRegistrations: VisibleRows = visiblePlayers({
  tournament: 'tournament_id',
  isOwn: (callerId, row) => expression`${row}.user_id = ${callerId}`,
});

export const visibleEntries: VisibleRows = visiblePlayers({
  event: 'event_id',
  registration: 'registration_id',
  team: 'team_id',
  isOwn: (callerId, row) => expression`${callerId} in (${row}.user_id, ${row}.partner_id)`,
});

/** Stored statuses of entries that are not public. */
const hiddenStatuses = constantSql(
  (['INVITED', 'WITHDRAWN'] as const).map((status) => entryStatuses.conversion.toStored(status)).join(', '),
);

/** Returns the SQL condition that the entry is confirmed and belongs to an event of an existing tournament that shows its players. */
export const isPublicEntry = (row: RowReference): SqlExpression =>
  expression`coalesce(${row}.status, 0) not in (${hiddenStatuses})
    and exists (select from ${tableNamed('tournament_event')} e join ${tableNamed('tournament')} t on t.id = e.tournament_id where e.id = ${row}.event_id)
    and ${showsPlayers({ event: 'event_id', registration: 'registration_id', team: 'team_id' })(row)}`;

export const visibleStandings: VisibleRows = visiblePlayers({
  event: 'event_id',
  team: 'team_id',
  isOwn: (callerId, row) =>
    expression`exists (select from ${tableNamed('team')} m where m.id = ${row}.team_id and ${callerId} in (m.player_one_id, m.player_two_id))`,
});
