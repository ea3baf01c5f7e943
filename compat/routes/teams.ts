import {
  declareRoutes,
  empty,
  list,
  page,
  payloadOf,
  platform,
  platformOrUser,
  query,
  required,
  result,
} from '../engine/index.js';
import { team, teamUpsert, teamUpsertResponse } from '../records/teams.js';
import { createRoute, deleteRoute, getRoute, listRoute, updateRoute, upsertRoute } from './record-routes.js';

/** Routes for teams (section 4.5). */
export const teamRoutes = declareRoutes({
  'POST /v1/teams': createRoute(team, 'Create a team.', { reply: payloadOf(team) }),
  'DELETE /v1/teams/{uuid}': deleteRoute('Team', 'Delete a team.'),
  'DELETE /v1/teams': {
    auth: platform,
    args: { eventId: required(query('event_uuid')) },
    operation: 'mutation ($eventId: ID!) { deleteTeamsOfEvent(eventId: $eventId) { id } }',
    reply: empty,
    summary: 'Delete all teams of an event.',
  },
  'GET /v1/data/teams': listRoute(
    'teams',
    list(team, { total: 'total_records' }),
    'List teams, optionally filtered by tournament or event.',
    {
      auth: platformOrUser,
      args: {
        filter: { tournamentId: { eq: query('tournament_uuid') }, eventId: { eq: query('event_uuid') } },
        ...page({ default: 'all' }),
      },
    },
  ),
  'GET /v1/data/teams/{uuid}': getRoute(result(team), 'Get a team.', { auth: platformOrUser }),
  'PUT /v1/teams/{uuid}': updateRoute(team, 'Update a team.', { reply: payloadOf(team) }),
  'POST /v1/teams/upsert': upsertRoute(teamUpsert, 'Create or update a team.', { reply: result(teamUpsertResponse) }),
});
