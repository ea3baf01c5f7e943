import { empty, list, page, payload, payloadOf, platform, query, result, routes } from '../engine/index.js';
import { pregame, prematch } from '../records/officiating.js';

const filter = { matchId: { eq: query('match_uuid') } };

/** Prematch and pregame records of referees (section 4.9). */
export const officiatingRoutes = routes({
  'POST /v1/referee/prematches': {
    auth: platform,
    args: { input: payload(prematch) },
    run: 'mutation ($input: PrematchInput!) { createPrematch(input: $input) { ...PrematchRecord } }',
    reply: result(prematch),
    summary: 'Create a prematch record, which describes what happens before a match.',
  },
  'DELETE /v1/referee/prematches/{uuid}': {
    auth: platform,
    run: 'mutation ($uuid: ID!) { deletePrematch(id: $uuid) { id } }',
    reply: empty,
    summary: 'Delete a prematch record.',
  },
  'GET /v1/referee/prematches': {
    auth: platform,
    args: { filter, ...page() },
    run: 'query ($filter: PrematchFilter) { prematches(filter: $filter) { totalCount nodes { ...PrematchRecord } } }',
    reply: list(prematch, { total: 'total_records' }),
    summary: 'List prematch records, newest first.',
  },
  'GET /v1/referee/prematches/{uuid}': {
    auth: platform,
    run: 'query ($uuid: ID!) { prematch(id: $uuid) { ...PrematchRecord } }',
    reply: result(prematch),
    summary: 'Get a prematch record.',
  },
  'PUT /v1/referee/prematches/{uuid}': {
    auth: platform,
    args: { input: payload(prematch, { byPath: true }) },
    run: 'mutation ($uuid: ID!, $input: PrematchInput!) { updatePrematch(id: $uuid, input: $input) { ...PrematchRecord } }',
    reply: result(prematch),
    summary: 'Update a prematch record.',
  },
  'POST /v1/referee/pregames': {
    auth: platform,
    args: { input: payload(pregame) },
    run: 'mutation ($input: PregameInput!) { createPregame(input: $input) { ...PregameRecord } }',
    reply: result(pregame),
    summary: 'Create a pregame record, which describes what happens before a game of a match.',
  },
  'DELETE /v1/referee/pregames/{uuid}': {
    auth: platform,
    run: 'mutation ($uuid: ID!) { deletePregame(id: $uuid) { id } }',
    reply: empty,
    summary: 'Delete a pregame record.',
  },
  'GET /v1/referee/pregames': {
    auth: platform,
    args: { filter, ...page() },
    run: 'query ($filter: PregameFilter) { pregames(filter: $filter) { totalCount nodes { ...PregameRecord } } }',
    reply: list(pregame, { total: 'total_records' }),
    summary: 'List pregame records, newest first.',
  },
  'GET /v1/referee/pregames/{uuid}': {
    auth: platform,
    run: 'query ($uuid: ID!) { pregame(id: $uuid) { ...PregameRecord } }',
    reply: result(pregame),
    summary: 'Get a pregame record.',
  },
  'PUT /v1/referee/pregames/{uuid}': {
    auth: platform,
    args: { input: payload(pregame) },
    run: 'mutation ($uuid: ID!, $input: PregameInput!) { updatePregame(id: $uuid, input: $input) { ...PregameRecord } }',
    reply: payloadOf(pregame),
    summary: 'Update a pregame record.',
  },
});
