import { related } from '../../kernel/relations.js';
import { User } from '../accounts/user.js';
import { Team } from './team.js';
import { Tournament } from './tournament.js';
import { TournamentEvent } from './tournament-event.js';

const playersOf = (column: string) =>
  `r.id in (select player from team t cross join unnest(array[t.player_one_id, t.player_two_id]) player where t.${column} = p.key)`;

/** Who plays where, through the teams. */
export const players = [
  related(Tournament, 'players', User, playersOf('tournament_id'), 'Everybody who plays in one of its teams, each once.'),
  related(TournamentEvent, 'players', User, playersOf('event_id'), 'Everybody who plays in one of its teams, each once.'),
  related(
    User,
    'teams',
    Team,
    'r.player_one_id = p.key or r.player_two_id = p.key',
    'The teams in which the user plays, as first or second player.',
  ),
];
