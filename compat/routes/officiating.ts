import { empty, list, page, payload, payloadOf, platform, query, result, routes } from '../engine/index.js';
import { pregame, prematch } from '../records/officiating.js';

const filter = { matchId: { eq: query('match_uuid') } };

/** Prematch and pregame records of referees (section 4.9). */
export const officiatingRoutes = routes({
  'POST /v1/referee/prematches': {
    auth: platform,
    args: { input: payload(prematch) },
    operation: 'mutation ($input: PrematchInput!) { createPrematch(input: $input) { ...PrematchRecord } }',
    reply: result(prematch),
    summary: 'Create a prematch record, which contains the preparations for a match.',
  },
  'DELETE /v1/referee/prematches/{uuid}': {
    auth: platform,
    operation: 'mutation ($uuid: ID!) { deletePrematch(id: $uuid) { id } }',
    reply: empty,
    summary: 'Delete a prematch record.',
  },
  'GET /v1/referee/prematches': {
    auth: platform,
    args: { filter, ...page() },
    operation: 'query ($filter: PrematchFilter) { prematches(filter: $filter) { totalCount nodes { ...PrematchRecord } } }',
    reply: list(prematch, { total: 'total_records' }),
    summary: 'List prematch records, newest first.',
  },
  'GET /v1/referee/prematches/{uuid}': {
    auth: platform,
    operation: 'query ($uuid: ID!) { prematch(id: $uuid) { ...PrematchRecord } }',
    reply: result(prematch),
    summary: 'Get a prematch record.',
  },
  'PUT /v1/referee/prematches/{uuid}': {
    auth: platform,
    args: { input: payload(prematch, { byPath: true }) },
    operation: 'mutation ($uuid: ID!, $input: PrematchInput!) { updatePrematch(id: $uuid, input: $input) { ...PrematchRecord } }',
    reply: result(prematch),
    summary: 'Update a prematch record.',
  },
  'POST /v1/referee/pregames': {
    auth: platform,
    args: { input: payload(pregame) },
    operation: 'mutation ($input: PregameInput!) { createPregame(input: $input) { ...PregameRecord } }',
    reply: result(pregame),
    summary: 'Create a pregame record, which contains the sides and first servers of a game.',
  },
  'DELETE /v1/referee/pregames/{uuid}': {
    auth: platform,
    operation: 'mutation ($uuid: ID!) { deletePregame(id: $uuid) { id } }',
    reply: empty,
    summary: 'Delete a pregame record.',
  },
  'GET /v1/referee/pregames': {
    auth: platform,
    args: { filter, ...page() },
    operation: 'query ($filter: PregameFilter) { pregames(filter: $filter) { totalCount nodes { ...PregameRecord } } }',
    reply: list(pregame, { total: 'total_records' }),
    summary: 'List pregame records, newest first.',
  },
  'GET /v1/referee/pregames/{uuid}': {
    auth: platform,
    operation: 'query ($uuid: ID!) { pregame(id: $uuid) { ...PregameRecord } }',
    reply: result(pregame),
    summary: 'Get a pregame record.',
  },
  'PUT /v1/referee/pregames/{uuid}': {
    auth: platform,
    args: { input: payload(pregame) },
    operation: 'mutation ($uuid: ID!, $input: PregameInput!) { updatePregame(id: $uuid, input: $input) { ...PregameRecord } }',
    reply: payloadOf(pregame),
    summary: 'Update a pregame record.',
  },
});
