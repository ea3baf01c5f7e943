import {
  declareRoutes,
  empty,
  list,
  payload,
  platform,
  platformOrUser,
  query,
  recordAlone,
  required,
  result,
  withAliases,
} from '../engine/index.js';
import { listedTournamentReferee, tournamentReferee, tournamentRefereeRequest } from '../records/tournaments.js';
import { getRoute, listRoute, upsertRoute } from './record-routes.js';

const deleteAll = 'mutation ($tournament_uuid: ID!) { deleteRefereesOfTournament(tournamentId: $tournament_uuid) { id } }';

/** Routes for referees of tournaments (section 4.10). */
export const tournamentRefereeRoutes = declareRoutes({
  'DELETE /v1/tournament_referee': [
    {
      auth: platform,
      when: query('uuid'),
      args: { uuid: query('uuid') },
      operation: 'mutation ($uuid: ID!) { deleteTournamentReferee(id: $uuid) { id } }',
      reply: empty,
      summary: 'Remove a referee from a tournament.',
    },
    {
      auth: platform,
      args: { tournament_uuid: required(query('tournament_uuid')) },
      operation: deleteAll,
      reply: empty,
      summary: 'Remove all referees from a tournament.',
    },
  ],
  'DELETE /v1/tournament_referee/{tournament_uuid}': {
    auth: platform,
    operation: deleteAll,
    reply: empty,
    summary: 'Remove all referees from a tournament.',
  },
  'GET /v1/data/tournament_referee': listRoute(
    'tournamentReferees',
    list(listedTournamentReferee, { total: 'totalRecords', items: 'result' }),
    'List tournament referees with their names, optionally filtered by tournament or user.',
    {
      auth: platformOrUser,
      args: { filter: { tournamentId: { eq: query('tournament_uuid') }, userId: { eq: query('user_uuid') } } },
    },
  ),
  'GET /v1/data/tournament_referee/{uuid}': getRoute(recordAlone(tournamentReferee), 'Get a tournament referee.'),
  'POST /v1/tournament_referee/upsert': upsertRoute(tournamentRefereeRequest, 'Make a user a referee of a tournament.', {
    args: {
      input: payload(tournamentRefereeRequest, {
        set: {
          tournament_uuid: required(withAliases(payload.text('tournament_uuid'), payload.text('tournamentUuid'))),
          user_uuid: required(withAliases(payload.text('user_uuid'), payload.text('userUuid'))),
        },
      }),
    },
    reply: result(tournamentReferee),
  }),
});
