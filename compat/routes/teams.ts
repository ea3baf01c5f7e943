import { either, empty, list, page, payload, payloadOf, platform, query, required, result, routes } from '../engine/index.js';
import { team, teamUpsert, teamUpserted } from '../records/teams.js';

/** Teams (section 4.5). */
export const teamRoutes = routes({
  'POST /v1/teams': {
    auth: platform,
    args: { input: payload(team) },
    operation: 'mutation ($input: TeamInput!) { createTeam(input: $input) { ...TeamRecord } }',
    reply: payloadOf(team),
    summary: 'Create a team.',
  },
  'DELETE /v1/teams/{uuid}': {
    auth: platform,
    operation: 'mutation ($uuid: ID!) { deleteTeam(id: $uuid) { id } }',
    reply: empty,
    summary: 'Delete a team.',
  },
  'DELETE /v1/teams': {
    auth: platform,
    args: { eventId: required(query('event_uuid')) },
    operation: 'mutation ($eventId: ID!) { deleteTeamsOfEvent(eventId: $eventId) { id } }',
    reply: empty,
    summary: 'Delete the teams of an event.',
  },
  'GET /v1/data/teams': {
    auth: either,
    args: {
      filter: { tournamentId: { eq: query('tournament_uuid') }, eventId: { eq: query('event_uuid') } },
      ...page({ default: 'all' }),
    },
    operation: 'query ($filter: TeamFilter) { teams(filter: $filter) { totalCount nodes { ...TeamRecord } } }',
    reply: list(team, { total: 'total_records' }),
    summary: 'List teams, optionally of one tournament or event.',
  },
  'GET /v1/data/teams/{uuid}': {
    auth: either,
    operation: 'query ($uuid: ID!) { team(id: $uuid) { ...TeamRecord } }',
    reply: result(team),
    summary: 'Get a team.',
  },
  'PUT /v1/teams/{uuid}': {
    auth: platform,
    args: { input: payload(team) },
    operation: 'mutation ($uuid: ID!, $input: TeamInput!) { updateTeam(id: $uuid, input: $input) { ...TeamRecord } }',
    reply: payloadOf(team),
    summary: 'Update a team.',
  },
  'POST /v1/teams/upsert': {
    auth: platform,
    args: { input: payload(teamUpsert) },
    operation: 'mutation ($input: TeamInput!) { upsertTeam(input: $input) { ...TeamUpserted } }',
    reply: result(teamUpserted),
    summary: 'Create or update a team.',
  },
});
