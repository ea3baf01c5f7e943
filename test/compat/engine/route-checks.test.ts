import { expect, test } from 'vitest';
import {
  anyone,
  custom,
  declareRoutes,
  empty,
  legacyRouter,
  list,
  page,
  path,
  payload,
  platform,
  platformOrUser,
  query,
  type Route,
  result,
} from '../../../compat/engine/index.js';
import { sampleGraph } from './sample-graph.js';
import { place, shaped, tournament } from './sample-tables.js';

/** Returns the result of the startup check of a route: `fits`, or the problems. */
const outcome = (key: string, route: Partial<Route>, otherRoutes: Record<string, Route> = {}): string => {
  const full: Route = {
    auth: platformOrUser,
    operation: 'query T($uuid: ID!) { tournament(id: $uuid) { ...FlatTournament } }',
    reply: result(tournament),
    ...route,
  };
  try {
    legacyRouter({
      graph: sampleGraph(),
      routes: [declareRoutes({ [key]: full }), declareRoutes(otherRoutes)],
      records: [tournament],
      identify: () => Promise.reject(),
      paging: 'offset',
      log: console,
    });
    return 'fits';
  } catch (error) {
    return String(error)
      .replace('Error: the routes and records of the legacy interface do not match the GraphQL schema:\n  ', '')
      .replace(`route ${key}`, '…');
  }
};

const route = 'GET /v1/t/{uuid}';
const connection = (selection: string) => `{ tournaments { ${selection} } }`;
const total = list(tournament, { total: 'totalRecords' });

test.for<[string, string, Partial<Route>, string]>([
  ['a valid definition', route, {}, 'fits'],
  ['a bad key', 'GET v1', {}, '…: the key must have the format `GET /v1/teams/{uuid}`'],
  ['an unknown method', 'FETCH /v1/t/{uuid}', {}, '…: the key must have the format `GET /v1/teams/{uuid}`'],
  ['no auth', route, { auth: undefined }, '…: auth: expected platform, user, platformOrUser or anyone'],
  ['an unused path parameter', 'GET /v1/t/{uuid}/{x}', {}, '…: the path parameter {x} is not used'],
  [
    'an argument from an unknown path parameter',
    route,
    { args: { uuid: path('id') } },
    '…: args: the path has no {id}; the path parameter {uuid} is not used',
  ],
  ['an owner from an unknown path parameter', route, { ownUserParam: 'user' }, '…: ownUserParam: the path has no {user}'],
  ['a variable without an argument', 'GET /v1/t', {}, '…: args: the required variable $uuid has no value'],
  [
    'an argument without a variable',
    route,
    { args: { title: query('title') } },
    '…: args: the operation declares no variable $title',
  ],
  [
    'a field that does not exist',
    route,
    { operation: 'query T($uuid: ID!) { tournament(id: $uuid) { colour ...FlatTournament } }' },
    '…: Cannot query field "colour" on type "Tournament".',
  ],
  [
    'a variable of the wrong type',
    route,
    { operation: 'query T($uuid: Int!) { tournament(id: $uuid) { ...FlatTournament } }' },
    '…: Variable "$uuid" of type "Int!" used in position expecting type "ID!".',
  ],
  ['broken text', route, { operation: 'query {' }, '…: Syntax Error: Expected Name, found <EOF>.'],
  [
    'its own fragment',
    route,
    { operation: '{ levels } fragment A on Tournament { id }' },
    '…: must be one operation without fragment definitions: the record tables define all fragments',
  ],
  [
    'an unknown fragment',
    route,
    { operation: 'query T($uuid: ID!) { tournament(id: $uuid) { ...Nothing } }', reply: custom(() => ({})) },
    '…: spreads ...Nothing, but no record table with a type has this name',
  ],
  [
    'a reply of another record',
    route,
    { reply: result(shaped) },
    '…: the operation must spread ...ShapedTournament, the fragment of the reply record',
  ],
  [
    'two root fields',
    route,
    { operation: 'query T($uuid: ID!) { a: tournament(id: $uuid) { id } levels }', reply: empty },
    '…: must have exactly one root field unless the reply is custom',
  ],
  [
    'a total that is not selected',
    'GET /v1/t',
    { operation: connection('nodes { ...FlatTournament }'), reply: total },
    '…: the operation must select totalCount for the total of the reply',
  ],
  [
    'rows that are not selected',
    'GET /v1/t',
    { operation: connection('totalCount edges: nodes { ...FlatTournament }'), reply: total },
    '…: the operation must select nodes for the list of the reply',
  ],
  [
    'paging of a field without pages',
    'GET /v1/t',
    { operation: '{ levels }', reply: empty, args: { ...page() } },
    '…: args: the operation declares no variable $first; args: the operation declares no variable $offset',
  ],
  [
    'onNull for a field that is never null',
    'GET /v1/t',
    { operation: '{ levels }', reply: empty, onNull: 'next' },
    '…: onNull: the root field is never null',
  ],
  [
    'a record without an input type',
    'POST /v1/t',
    { operation: 'mutation M($input: SignUpInput!) { signUp(input: $input) }', reply: empty, args: { input: payload(place) } },
    '…: the record Place has no input type, so it cannot be used in requests',
  ],
])('a route with %s is checked at startup', ([, key, route, message]) => expect(outcome(key, route)).toBe(message));

test('rejects a route whose record decodes to another input type', () =>
  expect(
    outcome('POST /v1/t', {
      operation: 'mutation M($input: SignUpInput!) { signUp(input: $input) }',
      reply: empty,
      args: { input: payload(tournament) },
    }),
  ).toBe('…: $input has the type SignUpInput, but its record has the input type TournamentInput'));

test('rejects two routes whose paths differ only in the parameter name', () =>
  expect(
    outcome(
      route,
      {},
      { 'GET|POST /v1/t/{id}': { auth: anyone, operation: 'query T($id: ID!) { tournament(id: $id) { id } }', reply: empty } },
    ),
  ).toBe('route GET|POST /v1/t/{id}: another route has the same method and path: GET /v1/t/{}'));

test('reports all problems of all routes in one error', () =>
  expect(
    outcome(route, { auth: undefined }, { 'GET /v1/x/{y}': { auth: platform, operation: '{ levels }', reply: empty } }),
  ).toBe(
    '…: auth: expected platform, user, platformOrUser or anyone\n  route GET /v1/x/{y}: the path parameter {y} is not used',
  ));
