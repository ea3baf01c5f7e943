import { expect, test } from 'vitest';
import {
  anyone,
  custom,
  either,
  empty,
  legacyRouter,
  list,
  page,
  path,
  payload,
  platform,
  query,
  type Route,
  result,
  routes,
} from '../../../compat/engine/index.js';
import { sampleGraph } from './sample-graph.js';
import { place, shaped, tournament } from './sample-tables.js';

/** Result of the startup check of a route: `fits`, or the problems. */
const outcome = (key: string, route: Partial<Route>, otherRoutes: Record<string, Route> = {}): string => {
  const full: Route = {
    auth: either,
    run: 'query T($uuid: ID!) { tournament(id: $uuid) { ...FlatTournament } }',
    reply: result(tournament),
    ...route,
  };
  try {
    legacyRouter({
      graph: sampleGraph(),
      routes: [routes({ [key]: full }), routes(otherRoutes)],
      records: [tournament],
      identify: () => Promise.reject(),
      paging: 'offset',
      log: console,
    });
    return 'fits';
  } catch (error) {
    return String(error)
      .replace("Error: the tables of the legacy interface don't fit the graph:\n  ", '')
      .replace(`route ${key}`, '…');
  }
};

const route = 'GET /v1/t/{uuid}';
const connection = (selection: string) => `{ tournaments { ${selection} } }`;
const total = list(tournament, { total: 'totalRecords' });

test.for<[string, string, Partial<Route>, string]>([
  ['a valid definition', route, {}, 'fits'],
  ['a bad key', 'GET v1', {}, '…: the key must read like `GET /v1/teams/{uuid}`'],
  ['an unknown method', 'FETCH /v1/t/{uuid}', {}, '…: the key must read like `GET /v1/teams/{uuid}`'],
  ['no auth letter', route, { auth: undefined }, '…: has no auth letter: platform, user, either or anyone'],
  ['an unused path parameter', 'GET /v1/t/{uuid}/{x}', {}, '…: the path parameter {x} is used nowhere'],
  [
    'an argument from an unknown path parameter',
    route,
    { args: { uuid: path('id') } },
    "…: reads the path parameter id, which the path doesn't have; the path parameter {uuid} is used nowhere",
  ],
  ['an owner from an unknown path parameter', route, { ownUserParam: 'user' }, '…: ownUserParam: the path has no {user}'],
  ['a variable without an argument', 'GET /v1/t', {}, '…: nothing feeds the variable $uuid'],
  [
    'an argument without a variable',
    route,
    { args: { title: query('title') } },
    '…: args: the operation declares no variable $title',
  ],
  [
    'a field that does not exist',
    route,
    { run: 'query T($uuid: ID!) { tournament(id: $uuid) { colour ...FlatTournament } }' },
    '…: Cannot query field "colour" on type "Tournament".',
  ],
  [
    'a variable of the wrong type',
    route,
    { run: 'query T($uuid: Int!) { tournament(id: $uuid) { ...FlatTournament } }' },
    '…: Variable "$uuid" of type "Int!" used in position expecting type "ID!".',
  ],
  ['broken text', route, { run: 'query {' }, '…: Syntax Error: Expected Name, found <EOF>.'],
  [
    'its own fragment',
    route,
    { run: '{ levels } fragment A on Tournament { id }' },
    '…: must be one operation; fragments come from the record tables',
  ],
  [
    'an unknown fragment',
    route,
    { run: 'query T($uuid: ID!) { tournament(id: $uuid) { ...Nothing } }', reply: custom(() => ({})) },
    '…: spreads ...Nothing, but no record table with a type has that name',
  ],
  [
    'a reply of another record',
    route,
    { reply: result(shaped) },
    "…: the operation doesn't spread ...ShapedTournament, of which the reply is made",
  ],
  [
    'two root fields',
    route,
    { run: 'query T($uuid: ID!) { a: tournament(id: $uuid) { id } levels }', reply: empty },
    '…: must have one root field, unless the reply is custom',
  ],
  [
    'a total that is not selected',
    'GET /v1/t',
    { run: connection('nodes { ...FlatTournament }'), reply: total },
    '…: the reply gives a total, but the operation selects no totalCount',
  ],
  [
    'rows that are not selected',
    'GET /v1/t',
    { run: connection('totalCount edges: nodes { ...FlatTournament }'), reply: total },
    '…: the reply is a list, but the operation selects no nodes',
  ],
  [
    'paging of a field without pages',
    'GET /v1/t',
    { run: '{ levels }', reply: empty, args: { ...page() } },
    '…: args: the operation declares no variable $first; args: the operation declares no variable $offset',
  ],
  [
    'onNull for a field that is never null',
    'GET /v1/t',
    { run: '{ levels }', reply: empty, onNull: 'next' },
    '…: onNull: the root field is never null',
  ],
  [
    'a record without an input type',
    'POST /v1/t',
    { run: 'mutation M($input: SignUpInput!) { signUp(input: $input) }', reply: empty, args: { input: payload(place) } },
    '…: the record Place has no input to be taken with',
  ],
])('a route with %s is checked at startup', ([, key, route, message]) => expect(outcome(key, route)).toBe(message));

test('rejects a route whose record decodes to another input type', () =>
  expect(
    outcome('POST /v1/t', {
      run: 'mutation M($input: SignUpInput!) { signUp(input: $input) }',
      reply: empty,
      args: { input: payload(tournament) },
    }),
  ).toBe('…: $input is a SignUpInput, but its record makes a TournamentInput'));

test('rejects two routes whose paths differ only in the parameter name', () =>
  expect(
    outcome(
      route,
      {},
      { 'GET|POST /v1/t/{id}': { auth: anyone, run: 'query T($id: ID!) { tournament(id: $id) { id } }', reply: empty } },
    ),
  ).toBe('route GET|POST /v1/t/{id}: GET /v1/t/{} is taken by another route'));

test('reports all problems of all routes in one error', () =>
  expect(outcome(route, { auth: undefined }, { 'GET /v1/x/{y}': { auth: platform, run: '{ levels }', reply: empty } })).toBe(
    '…: has no auth letter: platform, user, either or anyone\n  route GET /v1/x/{y}: the path parameter {y} is used nowhere',
  ));
