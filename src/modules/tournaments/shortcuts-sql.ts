import { related } from '../../kernel/serve/relations.js';
import { User } from '../accounts/user.js';
import { FinalStanding } from './final-standing.js';
import { Team } from './team.js';
import { Tournament } from './tournament.js';
import { TournamentEvent } from './tournament-event.js';

const playersOf = (column: string) =>
  `r.id in (select player from team t cross join unnest(array[t.player_one_id, t.player_two_id]) player where t.${column} = p.key)`;
const everybody = 'Everybody who plays in one of its teams, each once.';

/** Relations that no foreign key of their own holds: past the teams to the players, past the events to the standings. */
export const shortcuts = [
  related(Tournament, 'players', User, playersOf('tournament_id'), everybody),
  related(TournamentEvent, 'players', User, playersOf('event_id'), everybody),
  related(
    User,
    'teams',
    Team,
    'r.player_one_id = p.key or r.player_two_id = p.key',
    'The teams in which the user plays, as first or as second player.',
  ),
  related(
    Tournament,
    'standings',
    FinalStanding,
    'r.event_id in (select e.id from tournament_event e where e.tournament_id = p.key)',
    'The places reached in all its events, winners first.',
  ),
];
