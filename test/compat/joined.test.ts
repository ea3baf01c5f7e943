import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { joined } from '../../compat/reference/joined.js';
import { joinedCalls } from '../../compat/reference/joined-calls.js';
import type { ReferenceCall } from '../../compat/reference/operation.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { replaceable, routesForModules } from '../../src/legacy-routes.js';

const lines = (text: string | undefined) => text?.split('\n').map((line) => line.trim());

test('clashing root fields have aliases, and clashing variables and fragments other names', () => {
  const one =
    'query A($id: ID!) { team(id: $id) { ...Of } } fragment Of on Team { id ...More } fragment More on Team { seed(of: $id) }';
  const other =
    'query B($id: ID!, $id2: Int) { team(id: $id) { ...Of } seen: news(first: $id2) { id } } fragment Of on Team { id }';
  const both = joined('Both', [one, other]);
  expect([lines(both?.document), both?.variables.map((names) => [...names])]).toEqual([
    [
      ...['query Both($id: ID!, $id2: ID!, $id22: Int) {', 'team(id: $id) {', '...Of', '}'],
      ...['team2: team(id: $id2) {', '...Of2', '}', 'seen: news(first: $id22) {', 'id', '}', '}', ''],
      ...['fragment More on Team {', 'seed(of: $id)', '}', ''],
      ...['fragment Of on Team {', 'id', '...More', '}', ''],
      ...['fragment Of2 on Team {', 'id', '}'],
    ],
    [
      [['id', 'id']],
      [
        ['id', 'id2'],
        ['id2', 'id22'],
      ],
    ],
  ]);
});

test('a fragment that is the same in both stands there once, and one with another value for its variable twice', () => {
  const text =
    'query A($at: Int) { team { ...Same ...Own } } fragment Same on Team { id } fragment Own on Team { seed(at: $at) }';
  const found = joined('Both', [text, text])?.document ?? '';
  expect(found.match(/^fragment .*/gm)).toEqual(['fragment Same on Team {', 'fragment Own on Team {', 'fragment Own2 on Team {']);
});

test('variables that are known are those of the whole', () => {
  const calls: Omit<ReferenceCall, 'asks'>[] = [
    { when: null, document: 'query A($id: ID!) { team(id: $id) { id } }', variables: { id: 'one' } },
  ];
  const other = [
    { ...calls[0], when: 'Sometimes.', document: 'query B($id: ID!) { news(id: $id) { id } }', variables: { id: 'two' } },
  ];
  expect(
    joinedCalls([
      { name: 'getA', calls },
      { name: 'getB', calls: other },
    ]).map(({ when, variables }) => ({ when, variables })),
  ).toEqual([{ when: 'Sometimes.', variables: { id: 'one', id2: 'two' } }]);
});

test('what changes something is no part of a query', () => {
  expect(routesForModules.asOne(['GET /v1/data/teams', 'GET /v1/pub/validate_email/{random_string}'])).toBeNull();
  expect(routesForModules.asOne(['GET /v1/data/teams', 'GET /v1/nothing'])).toBeNull();
});

const routes = entriesOf(legacyRoutes).flatMap(({ method, path }) => (method === 'GET' ? [`${method} ${path}`] : []));
const casesOf = (route: string) => replaceable(route)?.calls ?? [];
const reads = routes.filter((route) => casesOf(route).every(({ document }) => document.startsWith('query')));

test.each(reads)('%s can be one query with each that may be called together with it, in each of their cases', (route) => {
  const problems = reads.slice(reads.indexOf(route)).flatMap((other) => {
    const calls = routesForModules.asOne([...new Set([route, other])])?.calls ?? [];
    const expected = casesOf(route).length * (route === other ? 1 : casesOf(other).length);
    const found = calls.flatMap(({ document }) => validate(graphOfModules(), parse(document)).map(({ message }) => message));
    return [...(calls.length === expected ? [] : ['cases are missing']), ...found].map((problem) => `${other}: ${problem}`);
  });
  expect(problems).toEqual([]);
});
