import { expect, test } from 'vitest';
import { graphOfModules } from '../../src/graphql/graph.js';
import { referenceOf } from '../../src/pages/reference.js';

const operations = referenceOf(graphOfModules()).groups.flatMap((group) => group.operations);

test.for([
  ['54', ['POST /v1/users/upsert'], 'GET /v1/users/{uuid}'],
  ['56', ['POST /v1/sso/login'], 'POST /v1/sso/logout'],
  ['57', ['GET /v1/data/news', 'POST /v1/admin/news', 'PUT /v1/admin/news/{uuid}'], 'GET /v1/data/news_outlet'],
  ['58', ['POST /v1/admin/rankings/upsert'], 'GET /v1/data/partner_rankings'],
  ['61', ['GET /v1/users/{uuid}', 'GET /v1/data/partner_rankings', 'GET /v1/data/game_scheduler'], 'GET /v1/data/teams'],
  ['60', ['POST /sso_platform/token'], 'POST /sso_platform/revoke_token'],
  ['62', ['POST /v1/sso/login', 'GET /v1/data/user-email-lookup/{email}', 'POST /v1/pub/contactus'], 'GET /v1/data/teams'],
  ['63', ['PUT /v1/admin/news/{uuid}', 'GET /v1/data/lookup_categories', 'POST /v1/game_scheduler'], 'GET /v1/data/teams'],
] as const)('the reference lists decision %s with the routes that it concerns', ([number, concerned, other]) => {
  const routes = operations.flatMap(({ method, path, decisions }) =>
    decisions.some((decision) => decision.number === number) ? [`${method} ${path}`] : [],
  );
  expect({ concerned: concerned.filter((route) => !routes.includes(route)), other: routes.includes(other) }).toEqual({
    concerned: [],
    other: false,
  });
});
