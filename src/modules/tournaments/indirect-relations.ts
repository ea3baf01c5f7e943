import { anyOf, expression, parameter } from '../../kernel/declare/expression.js';
import type { JoinPath } from '../../kernel/read/relations/join.js';
import { relatedRecords } from '../../kernel/serve/relations.js';
import { User } from '../accounts/users/user.js';
import { FinalStanding } from './final-standing.js';
import { isSentToAddressOf, TeamInvitation } from './invitations/team-invitation.js';
import { Team } from './players/team.js';
import { Tournament } from './tournament.js';
import { TournamentEvent } from './tournament-event.js';

const playersOf = (parentColumn: string): JoinPath[] => [
  { through: { table: 'team', parentColumn, valueColumns: ['player_one_id', 'player_two_id'], record: () => Team } },
];
const playersDescription = 'Players in the teams, without duplicates.';

/**
 * Relations without a foreign key: from tournaments and events to players, from users to teams and team invitations, and from tournaments
 * to standings.
 */
export const indirectRelations = [
  relatedRecords(Tournament, 'players', User, playersOf('tournament_id'), playersDescription, { isFilterable: true }),
  relatedRecords(TournamentEvent, 'players', User, playersOf('event_id'), playersDescription, { isFilterable: true }),
  // Addresses are private, so only the user and platforms without a user token see invitations to the address.
  relatedRecords(
    User,
    'teamInvitations',
    TeamInvitation,
    ({ platform, user }, row) => {
      const { key } = row;
      const address = isSentToAddressOf(key, row);
      const byId = expression`${row}.user_id = ${key}`;
      if (!user) return platform ? anyOf([byId, address]) : byId;
      return expression`${byId} or ${key} = ${parameter(user.id)} and ${address}`;
    },
    'Team invitations sent to the user, by ID or by email address. Callers other than platforms and admins see only invitations that they sent or received. Unanswered invitations by email address are visible only to the user, and to platforms without a user token.',
  ),
  relatedRecords(
    User,
    'teams',
    Team,
    [{ column: 'player_one_id' }, { column: 'player_two_id' }],
    'Teams in which the user is the first or second player. Default order: by the start of their events, earliest first.',
    { defaultOrder: [{ field: 'EVENT_STARTS_AT', direction: 'ASC' }], isFilterable: true },
  ),
  relatedRecords(
    Tournament,
    'standings',
    FinalStanding,
    [{ column: 'event_id', through: { table: 'tournament_event', parentColumn: 'tournament_id', valueColumns: ['id'] } }],
    'Final standings in all events, winners first.',
  ),
];
