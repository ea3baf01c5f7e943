import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Runs a document three times and expects equal responses: the first run is interpreted, the other runs are compiled. */
async function runThreeTimes(query: string, variables: object) {
  const answers = [];
  for (let run = 0; run < 3; run++) answers.push(await app.graphql(query, { ...variables }));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  return answers[0];
}

test('interpreted and compiled runs accept a nested filter in a variable', async () => {
  const query = 'query ($filter: StateFilter) { states(filter: $filter) { nodes { code } } }';
  const filter = { countryId: { eq: '840' }, or: [{ code: { eq: 'US-TX' } }, { not: { title: { ne: 'Ohio' } } }] };
  expect(await runThreeTimes(query, { filter })).toEqual({ states: { nodes: [{ code: 'US-OH' }, { code: 'US-TX' }] } });
});

test('interpreted and compiled runs handle enums, defaults, single values for lists, and directives', async () => {
  const query = `query ($by: [StateOrder!], $ids: [ID!], $first: Int = 1, $named: Boolean!) {
    states(orderBy: $by, first: $first, filter: { countryId: { in: $ids } }) { nodes { code title @include(if: $named) } }
  }`;
  const variables = { by: { field: 'CODE', direction: 'DESC' }, ids: '840', named: false };
  expect(await runThreeTimes(query, variables)).toEqual({ states: { nodes: [{ code: 'US-WY' }] } });
});

test('interpreted and compiled runs reject a variable of a wrong type with the same message', async () => {
  const { errors } = await runThreeTimes('query ($first: Int) { states(first: $first) { nodes { id } } }', { first: 'many' });
  expect(errors).toEqual(['BAD_INPUT: first: expected a 32-bit integer']);
});
