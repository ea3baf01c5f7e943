import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** The first run of a document is interpreted, the others are compiled: all of them answer alike. */
async function thrice(query: string, variables: object) {
  const answers = [];
  for (let run = 0; run < 3; run++) answers.push(await app.graphql(query, { ...variables }));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  return answers[0];
}

test('a filter, which may hold filters, comes in a variable again and again', async () => {
  const query = 'query ($filter: StateFilter) { states(filter: $filter) { nodes { code } } }';
  const filter = { countryId: { eq: '840' }, or: [{ code: { eq: 'US-TX' } }, { not: { title: { ne: 'Ohio' } } }] };
  expect(await thrice(query, { filter })).toEqual({ states: { nodes: [{ code: 'US-OH' }, { code: 'US-TX' }] } });
});

test('enumerations, defaults, lone items of lists and directives hold as well', async () => {
  const query = `query ($by: [StateOrder!], $ids: [ID!], $first: Int = 1, $named: Boolean!) {
    states(orderBy: $by, first: $first, filter: { countryId: { in: $ids } }) { nodes { code title @include(if: $named) } }
  }`;
  const variables = { by: { field: 'CODE', direction: 'DESC' }, ids: '840', named: false };
  expect(await thrice(query, variables)).toEqual({ states: { nodes: [{ code: 'US-WY' }] } });
});

test('a variable of a wrong type is refused with the same words', async () => {
  const { errors } = await thrice('query ($first: Int) { states(first: $first) { nodes { id } } }', { first: 'many' });
  expect(errors).toEqual(['BAD_INPUT: first: expected an integer of 32 bits']);
});
