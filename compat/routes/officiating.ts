import { declareRoutes, list, page, payloadOf, query, result } from '../engine/index.js';
import { pregame, prematch } from '../records/officiating.js';
import { createRoute, deleteRoute, getRoute, listRoute, updateRoute } from './record-routes.js';

const args = { filter: { matchId: { eq: query('match_uuid') } }, ...page() };

/** Routes for prematch and pregame records of referees (section 4.9). */
export const officiatingRoutes = declareRoutes({
  'POST /v1/referee/prematches': createRoute(prematch, 'Create a prematch record, which contains the preparations for a match.'),
  'DELETE /v1/referee/prematches/{uuid}': deleteRoute('Prematch', 'Delete a prematch record.'),
  'GET /v1/referee/prematches': listRoute(
    'prematches',
    list(prematch, { total: 'total_records' }),
    'List prematch records, newest first.',
    { args },
  ),
  'GET /v1/referee/prematches/{uuid}': getRoute(result(prematch), 'Get a prematch record.'),
  'PUT /v1/referee/prematches/{uuid}': updateRoute(prematch, 'Update a prematch record.'),
  'POST /v1/referee/pregames': createRoute(
    pregame,
    'Create a pregame record, which contains the sides and first servers of a game.',
  ),
  'DELETE /v1/referee/pregames/{uuid}': deleteRoute('Pregame', 'Delete a pregame record.'),
  'GET /v1/referee/pregames': listRoute(
    'pregames',
    list(pregame, { total: 'total_records' }),
    'List pregame records, newest first.',
    { args },
  ),
  'GET /v1/referee/pregames/{uuid}': getRoute(result(pregame), 'Get a pregame record.'),
  'PUT /v1/referee/pregames/{uuid}': updateRoute(pregame, 'Update a pregame record.', { reply: payloadOf(pregame) }),
});
