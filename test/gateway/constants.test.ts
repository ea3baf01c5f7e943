import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { statementsOf } from '../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const query = '{ paymentSetups { nodes { check { country { title } state { title } } } } }';

test('relations to reference data take no statement once they were read', async () => {
  for (const countryId of ['840', '124', 'nowhere'])
    await app.graphql('mutation ($check: CheckPaymentInput!) { createPaymentSetup(input: { check: $check }) { id } }', {
      check: { countryId },
    });
  const first = await app.graphql(query);
  const second = await app.graphql(query);
  expect([await statementsOf(app, () => app.graphql(query)), second, second.paymentSetups.nodes[2].check]).toEqual([
    1,
    first,
    { country: { title: 'United States' }, state: null },
  ]);
});
