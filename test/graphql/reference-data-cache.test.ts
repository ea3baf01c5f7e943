import { afterAll, beforeAll, expect, test } from 'vitest';
import { statementsOf } from '../support/checks/statement-counter.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const query = '{ paymentSetups { nodes { check { country { title } state { title } } } } }';

test('relations to reference data need no statement after they are cached', async () => {
  for (const country of [{ countryId: '840' }, { countryId: '124' }, { legacy: { countryId: 'nowhere' } }])
    await app.graphql('mutation ($check: CheckPaymentInput!) { createPaymentSetup(input: { check: $check }) { id } }', {
      check: country,
    });
  const uncached = await app.graphql(query);
  const cached = await app.graphql(query);
  expect(cached).toEqual(uncached);
  expect(cached.paymentSetups.nodes[2].check).toEqual({ country: { title: 'United States' }, state: null });
  expect(await statementsOf(app, () => app.graphql(query))).toBe(1);
});
