import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { combineDocuments, combinedCalls } from '../../compat/reference/combined-calls.js';
import type { ReferenceCall } from '../../compat/reference/operation.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { replaceableRouteOf, routesForModules } from '../../src/server/legacy-routes.js';

const lines = (text: string | undefined) => text?.split('\n').map((line) => line.trim());

test('clashing root fields get aliases, and clashing variables and fragments get new names', () => {
  const one =
    'query A($id: ID!) { team(id: $id) { ...Of } } fragment Of on Team { id ...More } fragment More on Team { seed(of: $id) }';
  const other =
    'query B($id: ID!, $id2: Int) { team(id: $id) { ...Of } seen: news(first: $id2) { id } } fragment Of on Team { id }';
  const both = combineDocuments('Both', [one, other]);
  expect({ document: lines(both?.document), variables: both?.variables.map((names) => Object.fromEntries(names)) }).toEqual({
    document: [
      ...['query Both($id: ID!, $id2: ID!, $id22: Int) {', 'team(id: $id) {', '...Of', '}'],
      ...['team2: team(id: $id2) {', '...Of2', '}', 'seen: news(first: $id22) {', 'id', '}', '}', ''],
      ...['fragment More on Team {', 'seed(of: $id)', '}', ''],
      ...['fragment Of on Team {', 'id', '...More', '}', ''],
      ...['fragment Of2 on Team {', 'id', '}'],
    ],
    variables: [{ id: 'id' }, { id: 'id2', id2: 'id22' }],
  });
});

test('a fragment that both queries share is printed once, and one that uses a renamed variable is printed twice', () => {
  const text =
    'query A($at: Int) { team { ...Same ...Own } } fragment Same on Team { id } fragment Own on Team { seed(at: $at) }';
  const document = combineDocuments('Both', [text, text])?.document ?? '';
  expect(document.match(/^fragment .*/gm)).toEqual([
    'fragment Same on Team {',
    'fragment Own on Team {',
    'fragment Own2 on Team {',
  ]);
});

test('a joined call has the variables of all its calls', () => {
  const calls: Omit<ReferenceCall, 'coordinates'>[] = [
    { when: null, document: 'query A($id: ID!) { team(id: $id) { id } }', variables: { id: 'one' } },
  ];
  const other = [
    { ...calls[0], when: 'Sometimes.', document: 'query B($id: ID!) { news(id: $id) { id } }', variables: { id: 'two' } },
  ];
  expect(
    combinedCalls([
      { name: 'getA', calls },
      { name: 'getB', calls: other },
    ]).map(({ when, variables }) => ({ when, variables })),
  ).toEqual([{ when: 'Sometimes.', variables: { id: 'one', id2: 'two' } }]);
});

test('a route that writes, or that does not exist, cannot be joined', () => {
  expect(routesForModules.replacementFor(['GET /v1/data/teams', 'GET /v1/pub/validate_email/{random_string}'])).toBeNull();
  expect(routesForModules.replacementFor(['GET /v1/data/teams', 'GET /v1/nothing'])).toBeNull();
});

const routes = entriesOf(legacyRoutes).flatMap(({ method, path }) => (method === 'GET' ? [`${method} ${path}`] : []));
const casesOf = (route: string) => replaceableRouteOf(route)?.calls ?? [];
const reads = routes.filter((route) => casesOf(route).every(({ document }) => document.startsWith('query')));

test.each(reads)('%s joins with every other read into one valid query for each combination of their cases', (route) => {
  const problems = reads.slice(reads.indexOf(route)).flatMap((other) => {
    const calls = routesForModules.replacementFor([...new Set([route, other])])?.calls ?? [];
    const expected = casesOf(route).length * (route === other ? 1 : casesOf(other).length);
    const errors = calls.flatMap(({ document }) => validate(graphOfModules(), parse(document)).map(({ message }) => message));
    return [...(calls.length === expected ? [] : ['cases are missing']), ...errors].map((problem) => `${other}: ${problem}`);
  });
  expect(problems).toEqual([]);
});
