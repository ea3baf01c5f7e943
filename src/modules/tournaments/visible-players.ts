import type { Caller } from '../../kernel/declare/caller.js';
import type { RecordOptions } from '../../kernel/declare/options.js';
import type { Param } from '../../kernel/declare/row.js';
import { staff } from '../../kernel/declare/writers.js';
import { playerListModes } from './choices.js';

type Visible = NonNullable<RecordOptions['visible']>;

const hides = `(t.hides_players or t.hides_players_mode = '${playerListModes.shown.keep('EVERYTHING')}')`;

/** SQL: the tournament with this id hides its players. */
const tournamentHides = (id: string): string => `exists (select from tournament t where t.id = ${id} and ${hides})`;

/** SQL: the event with this id is of a tournament that hides its players. */
const eventHides = (id: string): string =>
  `exists (select from tournament_event e join tournament t on t.id = e.tournament_id where e.id = ${id} and ${hides})`;

/** Callers who see the players of all tournaments. */
const seesAllPlayers = (caller: Caller): boolean => staff('REFEREE').some((policy) => policy.maybe(caller));

interface Participation {
  /** Column with the tournament. */
  readonly tournament?: string;
  /** Column with the event. */
  readonly event?: string;
  /** SQL: a row is about the user with this id. */
  readonly isOwn: (me: string) => string;
}

/**
 * Rows that say who plays in a tournament. Of a tournament that hides its players, users see only rows about themselves, and visitors none.
 * Platforms, admins and referees see all.
 */
export const visiblePlayers =
  ({ tournament, event, isOwn }: Participation): Visible =>
  (caller: Caller, param: Param) => {
    if (seesAllPlayers(caller)) return null;
    const hidden = [...(tournament ? [tournamentHides(`r.${tournament}`)] : []), ...(event ? [eventHides(`r.${event}`)] : [])];
    const own = caller.user ? ` or ${isOwn(param(caller.user.id))}` : '';
    return `(not (${hidden.join(' or ')})${own})`;
  };

export const visibleTeams: Visible = visiblePlayers({
  tournament: 'tournament_id',
  event: 'event_id',
  isOwn: (me) => `${me} in (r.player_one_id, r.player_two_id)`,
});

export const visibleRegistrations: Visible = visiblePlayers({ tournament: 'tournament_id', isOwn: (me) => `r.user_id = ${me}` });

export const visibleEntries: Visible = visiblePlayers({
  event: 'event_id',
  isOwn: (me) => `${me} in (r.user_id, r.partner_id)`,
});

export const visibleStandings: Visible = visiblePlayers({
  event: 'event_id',
  isOwn: (me) => `exists (select from team m where m.id = r.team_id and ${me} in (m.player_one_id, m.player_two_id))`,
});
