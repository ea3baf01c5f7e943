import type { Way } from '../../kernel/read/join.js';
import { related } from '../../kernel/serve/relations.js';
import { User } from '../accounts/user.js';
import { FinalStanding } from './final-standing.js';
import { Team } from './team.js';
import { Tournament } from './tournament.js';
import { TournamentEvent } from './tournament-event.js';

const playersOf = (from: string): Way[] => [
  { past: { table: 'team', from, to: ['player_one_id', 'player_two_id'], record: () => Team } },
];
const everybody = 'Everybody who plays in one of its teams, each once.';

/** Relations that no foreign key of their own holds: past the teams to the players, past the events to the standings. */
export const shortcuts = [
  related(Tournament, 'players', User, playersOf('tournament_id'), everybody, { isFilterable: true }),
  related(TournamentEvent, 'players', User, playersOf('event_id'), everybody, { isFilterable: true }),
  related(
    User,
    'teams',
    Team,
    [{ at: 'player_one_id' }, { at: 'player_two_id' }],
    'The teams in which the user plays, as first or as second player, by the start of their events, the earliest first.',
    { usual: [{ field: 'EVENT_STARTS_AT', direction: 'ASC' }], isFilterable: true },
  ),
  related(
    Tournament,
    'standings',
    FinalStanding,
    [{ at: 'event_id', past: { table: 'tournament_event', from: 'tournament_id', to: ['id'] } }],
    'The places reached in all its events, winners first.',
  ),
];
