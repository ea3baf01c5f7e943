import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { columnsOf, recordMetas } from '../../../src/kernel/declare/meta.js';
import { hasAuditedAmounts } from '../../../src/modules/checkout/audit/audited-currencies-sql.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  admin = await app.person({ roles: ['ADMIN'] });
});
afterAll(() => app.close());

const create = async (name: string, input: string): Promise<string> =>
  (await app.graphql(`mutation { record: create${name}(input: { ${input} }) { id } }`)).record.id;

/** Returns the actions and the currency codes of the audit entries of a record, earliest first. */
async function currenciesOf(id: string): Promise<string[]> {
  const query = `{ auditEntries(filter: { recordKey: { eq: "${id}" } }, orderBy: [{ field: CREATED_AT }]) {
    nodes { action currency { abbreviation } } } }`;
  const { nodes } = (await app.graphql(query, {}, admin)).auditEntries;
  return nodes.map((node: { action: string; currency: { abbreviation: string } | null }) =>
    [node.action, node.currency?.abbreviation ?? 'unknown'].join(' '),
  );
}

const newTournament = (currency: string) => create('Tournament', `title: "Open", currency: "${currency}"`);

describe('the currency of the amounts in an audit entry', () => {
  test('of an invoice item is its currency at the time of the entry', async () => {
    const id = await create('InvoiceItem', 'unitPrice: "2.5", currency: "usd"');
    await app.graphql(`mutation { updateInvoiceItem(id: "${id}", input: { currency: "EUR", unitPrice: "3" }) { id } }`);
    await app.graphql(`mutation { updateInvoiceItem(id: "${id}", input: { unitPrice: "4" }) { id } }`);
    await app.graphql(`mutation { deleteInvoiceItem(id: "${id}") { id } }`);
    expect(await currenciesOf(id)).toEqual(['CREATED USD', 'CHANGED EUR', 'CHANGED EUR', 'DELETED EUR']);
  });

  test('of a payment is the currency of its invoice, even after the payment was deleted', async () => {
    const invoiceId = await create('Invoice', 'number: "1"');
    await create('InvoiceItem', `invoiceId: "${invoiceId}", unitPrice: "2.5", currency: "eur"`);
    const id = await create('Payment', `invoiceId: "${invoiceId}", amount: "42.5"`);
    await app.graphql(`mutation { updatePayment(id: "${id}", input: { amount: "43" }) { id } }`);
    await app.graphql(`mutation { deletePayment(id: "${id}") { id } }`);
    expect(await currenciesOf(id)).toEqual(['CREATED EUR', 'CHANGED EUR', 'DELETED EUR']);
  });

  test('of a payment for a deleted invoice is the currency of the tournament', async () => {
    const tournamentId = await newTournament('GBP');
    const invoiceId = await create('Invoice', `number: "2", moduleType: TOURNAMENT, moduleId: "${tournamentId}"`);
    const id = await create('Payment', `invoiceId: "${invoiceId}", amount: "42.5"`);
    await app.graphql(`mutation { deleteInvoice(id: "${invoiceId}") { id } }`);
    expect(await currenciesOf(id)).toEqual(expect.arrayContaining(['CREATED GBP']));
  });

  test('of a discount code is the currency of its tournament', async () => {
    const id = await create(
      'DiscountCode',
      `code: "TEN", discount: "10", moduleType: TOURNAMENT, moduleId: "${await newTournament('CAD')}"`,
    );
    await app.graphql(`mutation { deleteDiscountCode(id: "${id}") { id } }`);
    expect(await currenciesOf(id)).toEqual(['CREATED CAD', 'DELETED CAD']);
  });

  test('is unknown without an invoice or a tournament', async () => {
    expect(await currenciesOf(await create('Payment', 'amount: "1"'))).toEqual(['CREATED unknown']);
  });
});

test('every record type with audited amounts has a currency', () => {
  const types = recordMetas().flatMap((meta) => {
    const columns = columnsOf(meta);
    const isAmount = (key: string) => columns.get(key)?.field.kind === 'money';
    return meta.options?.audited?.some(isAmount) ? [meta.name] : [];
  });
  expect({ types, missing: types.filter((type) => !hasAuditedAmounts(type)) }).toEqual({
    types: expect.arrayContaining(['InvoiceItem', 'Payment']),
    missing: [],
  });
});
