import {
  declareRoutes,
  empty,
  firstPresent,
  list,
  path,
  payload,
  platform,
  platformOrUser,
  query,
  type Route,
  recordAlone,
  required,
  result,
} from '../engine/index.js';
import { club, clubRequest, league, leagueBySlug, leagueListing } from '../records/leagues.js';
import { createRoute, getRoute, listRoute, updateRoute, upsertRoute } from './record-routes.js';

/** Route that sends a text message to players. Leagues and their search records share this route. */
const sendMessage: Route = {
  auth: platform,
  args: { userIds: required(query.list('user_uuids')), text: required(payload.text('message_text')) },
  operation: 'mutation ($userIds: [ID!]!, $text: String!) { sendLeagueMessage(userIds: $userIds, text: $text) { recipients } }',
  reply: empty,
  summary: 'Send a text message to players.',
};

/** Routes for leagues, clubs, their search records, and messages to players (sections 4.16 and 4.19). */
export const leagueRoutes = declareRoutes({
  'POST /v1/clubs_flat_data_search/upsert': upsertRoute(clubRequest, 'Create or update a club.', { reply: result(club) }),
  'GET /v1/clubs_flat_data_search': listRoute('clubs', list(club, { total: 'total_records' }), 'List all clubs, newest first.'),
  'POST /v1/leagues_flat_data_search/upsert': upsertRoute(leagueListing, 'Create or update the search record of a league.'),
  'GET /v1/data/leagues_flat_data_search': listRoute(
    'leagueListings',
    list(leagueListing, { total: 'totalRecords' }),
    'List the search records of all leagues, newest first.',
  ),
  'POST /v1/leagues_flat_data_search/send-message': sendMessage,

  'POST /v1/leagues': createRoute(league, 'Create a league.'),
  'DELETE /v1/leagues': {
    auth: platform,
    args: { id: required(firstPresent(query('uuid'), payload.text('leagueId'))) },
    operation: 'mutation ($id: ID!) { deleteLeague(id: $id) { id } }',
    reply: empty,
    summary: 'Delete a league.',
  },
  'GET /v1/data/leagues': listRoute('leagues', list(league, { total: 'total_records' }), 'List all leagues, newest first.', {
    auth: platformOrUser,
  }),
  'GET /v1/data/leagues/{uuid}': [
    getRoute(recordAlone(league), 'Get a league by its ID. Field names are in camelCase.', {
      auth: platformOrUser,
      onNull: 'next',
    }),
    {
      auth: platform,
      args: { slug: path('uuid') },
      operation: 'query ($slug: String!) { leagueBySlug(slug: $slug) { ...LeagueBySlug } }',
      reply: recordAlone(leagueBySlug),
      summary: 'Get a league by its slug. Field names are in snake_case.',
    },
  ],
  'PUT /v1/leagues/{uuid}': updateRoute(league, 'Update a league.'),
  'POST /v1/leagues/upsert': upsertRoute(league, 'Create or update a league.'),
  'POST /v1/leagues/send-message': sendMessage,
  'POST /v1/leagues/send-email': {
    auth: platform,
    args: { userIds: required(payload.list('uuids')), title: payload.text('title'), body: required(payload.text('body')) },
    operation: `mutation ($userIds: [ID!]!, $title: String! = "Message from your league", $body: String!) {
      sendLeagueEmail(userIds: $userIds, title: $title, body: $body) { recipients }
    }`,
    reply: empty,
    summary: 'Send an email to players.',
  },
});
