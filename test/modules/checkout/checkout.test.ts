import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../../support/checks/statement-counter.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let payer: Person;
let stranger: Person;
beforeAll(async () => {
  app = await startApp();
  payer = await app.person({ firstName: 'Ana' });
  stranger = await app.person({ firstName: 'Bo' });
});
afterAll(() => app.close());

const upsert = (type: string, input: object) =>
  app.graphql(`mutation ($input: ${type}Input!) { upsert${type}(input: $input) { id } }`, { input });

/** Creates an invoice for Ana with an item, a discount, a partly refunded payment and a reversed payment. */
async function createInvoice(id: string): Promise<void> {
  await upsert('Tournament', { id: `open-of-${id}`, title: 'Austin Open' });
  await upsert('Club', { id: `club-of-${id}`, title: 'Austin Club' });
  await upsert('Registration', { id: `registration-of-${id}`, promoCode: 'EARLY' });
  await upsert('DiscountCode', { id: `code-of-${id}`, code: 'EARLY' });
  const header = { moduleId: `open-of-${id}`, clubId: `club-of-${id}`, registrationId: `registration-of-${id}` };
  await upsert('Invoice', { id, userId: payer.id, ...header });
  await upsert('InvoiceItem', { id: `1-${id}`, invoiceId: id, title: 'Doubles', unitPrice: '0.1', units: 3 });
  await upsert('InvoiceItem', {
    id: `2-${id}`,
    invoiceId: id,
    title: 'Early bird',
    unitPrice: '-0.20',
    units: 1,
    discountCodeId: `code-of-${id}`,
  });
  await upsert('ProviderRequest', { id: `request-of-${id}`, totalAmount: '0.30', invoiceId: id });
  await upsert('ProviderResponse', { id: `response-of-${id}`, requestId: `request-of-${id}`, gross: '0.30' });
  const provider = { requestId: `request-of-${id}`, responseId: `response-of-${id}` };
  await upsert('Payment', { id: `1-${id}`, invoiceId: id, amount: '0.3', ...provider });
  await upsert('Payment', { id: `2-${id}`, invoiceId: id, amount: '0.25', isRefund: true });
  await upsert('Payment', { id: `3-${id}`, invoiceId: id, amount: '99', isReversed: true });
}

test('an invoice has exact amounts, items with discount codes, and payments with provider requests and responses', async () => {
  await createInvoice('whole');
  const { invoice } = await app.graphql(`{ invoice(id: "whole") {
    total paid balance
    user { firstName } club { title } tournament { title } registration { promoCode }
    items { nodes { title unitPrice units discountCode { code } } }
    payments(filter: { isReversed: false }) { nodes { amount request { totalAmount responses { nodes { gross } } } response { gross } } }
  } }`);
  expect(invoice).toEqual({
    total: '0.1',
    paid: '0.05',
    balance: '0.05',
    user: { firstName: 'Ana' },
    club: { title: 'Austin Club' },
    tournament: { title: 'Austin Open' },
    registration: { promoCode: 'EARLY' },
    items: {
      nodes: [
        { title: 'Early bird', unitPrice: '-0.2', units: 1, discountCode: { code: 'EARLY' } },
        { title: 'Doubles', unitPrice: '0.1', units: 3, discountCode: null },
      ],
    },
    payments: {
      nodes: [
        { amount: '0.25', request: null, response: null },
        {
          amount: '0.3',
          request: { totalAmount: '0.3', responses: { nodes: [{ gross: '0.3' }] } },
          response: { gross: '0.3' },
        },
      ],
    },
  });
});

const invoicesOf = (person: Person, { user }: Person) =>
  app.graphql(
    'query ($id: ID!) { user(id: $id) { invoices { nodes { id total items { totalCount } payments { totalCount } } } } }',
    { id: person.id },
    { user },
  );

test('a user reads their own invoices with items and payments', async () => {
  await createInvoice('own');
  const { user } = await invoicesOf(payer, payer);
  expect(user.invoices.nodes[0]).toEqual({ id: 'own', total: '0.1', items: { totalCount: 2 }, payments: { totalCount: 3 } });
});

describe("another user's invoices", () => {
  beforeAll(() => createInvoice('hidden'));

  test('are forbidden as a relation of the user', async () => {
    expect(await invoicesOf(payer, stranger)).toEqual({
      data: { user: { invoices: null } },
      errors: [
        'FORBIDDEN: Not allowed: requires a platform token, a user token with the role ADMIN, or a user token of the owner of the invoices',
      ],
    });
  });

  test('cannot be read through other queries and relations', async () => {
    const query = `{ invoice(id: "hidden") { id } invoices { nodes { id } } invoiceItem(id: "1-hidden") { id } payment(id: "1-hidden") { id }
      tournament(id: "open-of-hidden") { invoices { totalCount } } registration(id: "registration-of-hidden") { payments { totalCount } } }`;
    expect(await app.graphql(query, {}, { user: stranger.user })).toEqual({
      invoice: null,
      invoices: { nodes: [] },
      invoiceItem: null,
      payment: null,
      tournament: { invoices: { totalCount: 0 } },
      registration: { payments: { totalCount: 0 } },
    });
  });
});

const platformOrAdmin = 'a platform token, or a user token with the role ADMIN';
test.each([
  ['{ discountCodes { nodes { id } } }', platformOrAdmin],
  ['{ providerRequests { nodes { id } } }', platformOrAdmin],
  ['{ merchantLinks { nodes { id } } }', platformOrAdmin],
  ['mutation { upsertInvoice(input: { id: "whole" }) { id } }', 'a platform token'],
  ['mutation { deletePayment(id: "1-whole") { id } }', 'a platform token'],
])('a user cannot %s', async (query, credentials) => {
  const { errors } = await app.graphql(query, {}, { user: payer.user });
  expect(errors).toEqual([`FORBIDDEN: Not allowed: requires ${credentials}`]);
});

test('the amounts of many invoices are read with one additional statement', async () => {
  for (const id of ['many-1', 'many-2', 'many-3']) await createInvoice(id);
  expect(await statementsOf(app, () => app.graphql('{ invoices(first: 50) { nodes { total paid balance } } }'))).toBe(2);
});

test('an upsert of a sanction setup keeps the terms of other governing bodies, and fields that it does not name', async () => {
  const terms = { usap: { status: 'PENDING', isMembersOnly: true, additionalFee: '5.00' }, lifeTime: { levelId: '3' } };
  await upsert('SanctionSetup', { id: 'terms', ...terms });
  await upsert('SanctionSetup', { id: 'terms', usap: { status: 'APPROVED' } });
  const { sanctionSetup } = await app.graphql(
    '{ sanctionSetup(id: "terms") { usap { status isMembersOnly additionalFee } lifeTime { levelId } wpf { status isMembersOnly } } }',
  );
  expect(sanctionSetup).toEqual({
    usap: { status: 'APPROVED', isMembersOnly: true, additionalFee: '5' },
    lifeTime: { levelId: '3' },
    wpf: { status: null, isMembersOnly: false },
  });
});

test('the address for checks has its country and state', async () => {
  const { states } = await app.graphql('{ states(filter: { title: { eq: "Texas" } }) { nodes { id countryId } } }');
  const { id: stateId, countryId } = states.nodes[0];
  const created = await app.graphql(
    'mutation ($check: CheckPaymentInput!) { createPaymentSetup(input: { check: $check }) { check { country { title } state { title } } } }',
    { check: { countryId, stateId } },
  );
  expect(created.createPaymentSetup.check).toEqual({ country: { title: 'United States' }, state: { title: 'Texas' } });
});

test('concurrent upserts of one invoice create one row', async () => {
  const upserts = Array.from({ length: 12 }, (_, index) => upsert('Invoice', { id: 'contended', number: String(index) }));
  const answers = await Promise.all(upserts);
  const rows = await app.sql.rows("select id from invoice where id = 'contended'");
  expect({ answers: new Set(answers.map((answer) => JSON.stringify(answer))), rows }).toEqual({
    answers: new Set(['{"upsertInvoice":{"id":"contended"}}']),
    rows: [{ id: 'contended' }],
  });
});
