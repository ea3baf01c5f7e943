import {
  bare,
  either,
  empty,
  firstOf,
  list,
  path,
  payload,
  platform,
  query,
  type Route,
  required,
  result,
  routes,
} from '../engine/index.js';
import { club, clubSent, league, leagueBySlug, leagueListing } from '../records/leagues.js';

/** Route of leagues and of their search records. */
const sendMessage: Route = {
  auth: platform,
  args: { userIds: required(query.list('user_uuids')), text: required(payload.text('message_text')) },
  operation: 'mutation ($userIds: [ID!]!, $text: String!) { sendLeagueMessage(userIds: $userIds, text: $text) { recipients } }',
  reply: empty,
  summary: 'Send a text message to players.',
};

/** Leagues, clubs, their search records, and messages to players (sections 4.16 and 4.19). */
export const leagueRoutes = routes({
  'POST /v1/clubs_flat_data_search/upsert': {
    auth: platform,
    args: { input: payload(clubSent) },
    operation: 'mutation ($input: ClubInput!) { upsertClub(input: $input) { ...Club } }',
    reply: result(club),
    summary: 'Create or update a club.',
  },
  'GET /v1/clubs_flat_data_search': {
    auth: platform,
    operation: '{ clubs { totalCount nodes { ...Club } } }',
    reply: list(club, { total: 'total_records' }),
    summary: 'List all clubs, newest first.',
  },
  'POST /v1/leagues_flat_data_search/upsert': {
    auth: platform,
    args: { input: payload(leagueListing) },
    operation: 'mutation ($input: LeagueListingInput!) { upsertLeagueListing(input: $input) { ...LeagueListing } }',
    reply: result(leagueListing),
    summary: 'Create or update the search record of a league.',
  },
  'GET /v1/data/leagues_flat_data_search': {
    auth: platform,
    operation: '{ leagueListings { totalCount nodes { ...LeagueListing } } }',
    reply: list(leagueListing, { total: 'totalRecords' }),
    summary: 'List the search records of all leagues, newest first.',
  },
  'POST /v1/leagues_flat_data_search/send-message': sendMessage,

  'POST /v1/leagues': {
    auth: platform,
    args: { input: payload(league) },
    operation: 'mutation ($input: LeagueInput!) { createLeague(input: $input) { ...League } }',
    reply: result(league),
    summary: 'Create a league.',
  },
  'DELETE /v1/leagues': {
    auth: platform,
    args: { id: required(firstOf(query('uuid'), payload.text('leagueId'))) },
    operation: 'mutation ($id: ID!) { deleteLeague(id: $id) { id } }',
    reply: empty,
    summary: 'Delete a league.',
  },
  'GET /v1/data/leagues': {
    auth: either,
    operation: '{ leagues { totalCount nodes { ...League } } }',
    reply: list(league, { total: 'total_records' }),
    summary: 'List all leagues, newest first.',
  },
  'GET /v1/data/leagues/{uuid}': [
    {
      auth: either,
      operation: 'query ($uuid: ID!) { league(id: $uuid) { ...League } }',
      reply: bare(league),
      onNull: 'next',
      summary: 'Get a league by its ID. Field names are in camelCase.',
    },
    {
      auth: platform,
      args: { slug: path('uuid') },
      operation: 'query ($slug: String!) { leagueBySlug(slug: $slug) { ...LeagueBySlug } }',
      reply: bare(leagueBySlug),
      summary: 'Get a league by its slug. Field names are in snake_case.',
    },
  ],
  'PUT /v1/leagues/{uuid}': {
    auth: platform,
    args: { input: payload(league, { byPath: true }) },
    operation: 'mutation ($uuid: ID!, $input: LeagueInput!) { updateLeague(id: $uuid, input: $input) { ...League } }',
    reply: result(league),
    summary: 'Update a league.',
  },
  'POST /v1/leagues/upsert': {
    auth: platform,
    args: { input: payload(league) },
    operation: 'mutation ($input: LeagueInput!) { upsertLeague(input: $input) { ...League } }',
    reply: result(league),
    summary: 'Create or update a league.',
  },
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
