import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const { register, enterPlayer, withdraw, withdrawRegistration, entry, checkout, save } = entriesOf(() => app);

const createInvoice = async (registrationId: string, player: Person, input: object = {}): Promise<string> =>
  (await checkout({ registrationId, ...input }, player, 'invoice { id }')).invoice.id;
const pay = (invoiceId: string, amount: string, values: object = {}) => save('Payment', { invoiceId, amount, ...values });
const amountsOf = async (id: string, fields = 'total paid balance refundRequested') =>
  (await app.graphql(`{ invoice(id: "${id}") { ${fields} } }`)).invoice;
const settled = { balance: '0' };
const accepts = async (moduleId: string) => {
  await save('PaymentSetup', { moduleId, acceptsProviderOne: true });
  await save('MerchantLink', { moduleId, providerOne: { isEnabled: true, account: 'shop@example.com' } });
};

/** Registers a new player for two events of a new tournament and checks out. */
async function enterTwoEvents(fees: readonly [string, string], input: object = {}) {
  const entered = await enterPlayer({ fee: fees[0] });
  const { player, tournamentId, registrationId } = entered;
  const secondEventId = await save('TournamentEvent', { id: `second-${tournamentId}`, tournamentId, fee: fees[1] });
  await register({ eventId: secondEventId }, player);
  const secondEntryId = (await entry(secondEventId, player))?.id ?? '';
  return { ...entered, secondEventId, secondEntryId, invoiceId: await createInvoice(registrationId, player, input) };
}

describe('a withdrawal after a partial payment', () => {
  test('leaves no debt, and the refund is the paid amount', async () => {
    const { player, entryId, registrationId } = await enterPlayer({ fee: '85' }, { registrationFee: '10' });
    const invoiceId = await createInvoice(registrationId, player);
    await pay(invoiceId, '40.50');
    const before = await amountsOf(invoiceId);
    const withdrawn = await withdraw(entryId, player, 'refunds { amount }');
    expect({ before, withdrawn, after: await amountsOf(invoiceId) }).toEqual({
      before: { total: '95', paid: '40.5', balance: '54.5', refundRequested: '0' },
      withdrawn: { refunds: [{ amount: '40.5' }] },
      after: { total: '0', paid: '40.5', balance: '0', refundRequested: '40.5' },
    });
  });

  test('leaves no debt when the platform pays the refund back, in one or several payments', async () => {
    const { player, registrationId } = await enterPlayer({ fee: '95' });
    const invoiceId = await createInvoice(registrationId, player);
    await pay(invoiceId, '20');
    await pay(invoiceId, '30.5');
    await pay(invoiceId, '10', { isRefund: true });
    await pay(invoiceId, '7', { isReversed: true });
    await withdrawRegistration(registrationId, player);
    const requested = await amountsOf(invoiceId);
    await pay(invoiceId, '15', { isRefund: true });
    const partlyRefunded = await amountsOf(invoiceId);
    await pay(invoiceId, '25.5', { isRefund: true });
    expect({ requested, partlyRefunded, refunded: await amountsOf(invoiceId) }).toEqual({
      requested: { total: '0', paid: '40.5', refundRequested: '40.5', ...settled },
      partlyRefunded: { total: '0', paid: '25.5', refundRequested: '25.5', ...settled },
      refunded: { total: '0', paid: '0', refundRequested: '0', ...settled },
    });
  });

  test('from one of two events refunds only the amount paid beyond the other event', async () => {
    const [little, much] = [await enterTwoEvents(['40', '55']), await enterTwoEvents(['40', '55'])];
    await pay(little.invoiceId, '40.5');
    await pay(much.invoiceId, '70');
    const littleWithdrawn = await withdraw(little.entryId, little.player, 'refunds { amount }');
    const muchWithdrawn = await withdraw(much.entryId, much.player, 'refunds { amount }');
    expect({
      littleWithdrawn,
      little: await amountsOf(little.invoiceId),
      muchWithdrawn,
      much: await amountsOf(much.invoiceId),
    }).toEqual({
      littleWithdrawn: { refunds: [] },
      little: { total: '55', paid: '40.5', balance: '14.5', refundRequested: '0' },
      muchWithdrawn: { refunds: [{ amount: '15' }] },
      much: { total: '55', paid: '70', balance: '0', refundRequested: '15' },
    });
  });

  test('from one event after the other refunds everything', async () => {
    const { invoiceId, entryId, secondEntryId, player } = await enterTwoEvents(['40', '55']);
    await pay(invoiceId, '70');
    await withdraw(entryId, player);
    const second = await withdraw(secondEntryId, player, 'refunds { amount }');
    expect({ second, amounts: await amountsOf(invoiceId) }).toEqual({
      second: { refunds: [{ amount: '55' }] },
      amounts: { total: '0', paid: '70', balance: '0', refundRequested: '70' },
    });
  });

  test('supersedes the open payment request', async () => {
    const { player, entryId, registrationId, tournamentId } = await enterPlayer({ fee: '95' });
    await accepts(tournamentId);
    const { invoice, request } = await checkout({ registrationId }, player, 'invoice { id } request { id }');
    await pay(invoice.id, '40.5');
    await withdraw(entryId, player);
    const row = await app.graphql(`{ providerRequest(id: "${request.id}") { supersededAt } }`);
    expect(row).toEqual({ providerRequest: { supersededAt: expect.any(String) } });
  });

  test('marks the items and the invoice as withdrawn', async () => {
    const { player, entryId, registrationId } = await enterPlayer({ fee: '95' });
    const invoiceId = await createInvoice(registrationId, player);
    await pay(invoiceId, '40.5');
    const fields = 'withdrawnAt items { nodes { withdrawnAt } }';
    const before = await amountsOf(invoiceId, fields);
    await withdraw(entryId, player);
    const time = expect.any(String);
    expect({ before, after: await amountsOf(invoiceId, fields) }).toEqual({
      before: { withdrawnAt: null, items: { nodes: [{ withdrawnAt: null }] } },
      after: { withdrawnAt: time, items: { nodes: [{ withdrawnAt: time }] } },
    });
  });
});

describe('fees that the tournament keeps', () => {
  test.each([
    ['an item of the type FEE', { type: 'FEE' }],
    ['a service fee', { isServiceFee: true }],
  ])('are not refunded when they are %s', async (name, values) => {
    const { player, entryId, registrationId } = await enterPlayer({ fee: '90' });
    const invoiceId = await createInvoice(registrationId, player);
    await save('InvoiceItem', { id: `fee-${name}`, invoiceId, unitPrice: '5', units: 1, currency: 'USD', ...values });
    await pay(invoiceId, '40.5');
    const withdrawn = await withdraw(entryId, player, 'refunds { amount }');
    expect({ withdrawn, amounts: await amountsOf(invoiceId) }).toEqual({
      withdrawn: { refunds: [{ amount: '35.5' }] },
      amounts: { total: '5', paid: '40.5', balance: '0', refundRequested: '35.5' },
    });
  });

  test('are at most the paid amount', async () => {
    const { player, entryId, registrationId } = await enterPlayer({ fee: '90' });
    const invoiceId = await createInvoice(registrationId, player);
    await save('InvoiceItem', { invoiceId, type: 'FEE', unitPrice: '50', units: 1 });
    await pay(invoiceId, '40.5');
    await withdraw(entryId, player);
    expect(await amountsOf(invoiceId)).toEqual({ total: '40.5', paid: '40.5', balance: '0', refundRequested: '0' });
  });

  test.each([
    ['before any payment', null, { total: '25', paid: '0', balance: '25', refundRequested: '0' }],
    ['after a partial payment', '22', { total: '25', paid: '22', balance: '3', refundRequested: '0' }],
    ['after the full payment', '45', { total: '25', paid: '45', balance: '0', refundRequested: '20' }],
  ])('are owed while another item of the invoice remains, %s', async (_, paid, amounts) => {
    const { invoiceId, entryId, player } = await enterTwoEvents(['20', '20']);
    await save('InvoiceItem', { invoiceId, type: 'FEE', unitPrice: '5', units: 1 });
    if (paid) await pay(invoiceId, paid);
    await withdraw(entryId, player);
    expect(await amountsOf(invoiceId)).toEqual(amounts);
  });

  test('may be added by the platform after the withdrawal', async () => {
    const { player, entryId, registrationId } = await enterPlayer({ fee: '95' });
    const invoiceId = await createInvoice(registrationId, player);
    await pay(invoiceId, '40.5');
    await withdraw(entryId, player);
    await save('InvoiceItem', { invoiceId, type: 'FEE', title: 'Cancellation', unitPrice: '10', units: 1 });
    expect(await amountsOf(invoiceId)).toEqual({ total: '10', paid: '40.5', balance: '0', refundRequested: '30.5' });
  });

  test('are the items for which the platform declines the refund', async () => {
    const { invoiceId, registrationId, player, secondEventId } = await enterTwoEvents(['55', '40']);
    await pay(invoiceId, '50');
    await withdrawRegistration(registrationId, player);
    const item = await app.sql.row<{ id: string }>('select id from invoice_item where invoice_id = $1 and event_id = $2', [
      invoiceId,
      secondEventId,
    ]);
    await save('InvoiceItem', { id: item?.id, refundRequestedAt: null });
    expect(await amountsOf(invoiceId)).toEqual({ total: '40', paid: '50', balance: '0', refundRequested: '10' });
  });
});

describe('a withdrawal before any payment', () => {
  test('leaves nothing to pay, and a later payment must be refunded', async () => {
    const { player, entryId, registrationId } = await enterPlayer({ fee: '95' });
    const invoiceId = await createInvoice(registrationId, player);
    const withdrawn = await withdraw(entryId, player, 'refunds { amount }');
    const before = await amountsOf(invoiceId);
    await pay(invoiceId, '95');
    expect({ withdrawn, before, after: await amountsOf(invoiceId) }).toEqual({
      withdrawn: { refunds: [] },
      before: { total: '0', paid: '0', balance: '0', refundRequested: '0' },
      after: { total: '0', paid: '95', balance: '0', refundRequested: '95' },
    });
  });

  test('from one of two events keeps the discount on the other event', async () => {
    await save('DiscountCode', { id: 'stays', code: 'STAYS', discount: '15', issued: 1, appliesToRegistration: true });
    const { invoiceId, entryId, player, registrationId } = await enterTwoEvents(['40', '55'], { discountCode: 'STAYS' });
    const before = await amountsOf(invoiceId, 'total');
    await withdraw(entryId, player);
    const after = await amountsOf(invoiceId, 'total');
    const next = await checkout({ registrationId }, player);
    expect({ before, after, next }).toEqual({
      before: { total: '80' },
      after: { total: '40' },
      next: { invoice: { total: '40' } },
    });
  });

  test('at the same time as the payment leaves no debt, and the refund is the paid amount', async () => {
    const entered = await Promise.all(Array.from({ length: 8 }, () => enterPlayer({ fee: '95' })));
    const invoices = await Promise.all(entered.map(({ registrationId, player }) => createInvoice(registrationId, player)));
    await Promise.all(
      entered.flatMap(({ entryId, player }, index) => [withdraw(entryId, player), pay(invoices[index] ?? '', '40.5')]),
    );
    expect(await Promise.all(invoices.map((id) => amountsOf(id)))).toEqual(
      invoices.map(() => ({ total: '0', paid: '40.5', balance: '0', refundRequested: '40.5' })),
    );
  });
});

test('a second entry after a withdrawal has a separate invoice, and the refund of the first one stays', async () => {
  const { player, entryId, eventId, registrationId } = await enterPlayer({ fee: '85' }, { registrationFee: '10' });
  const first = await createInvoice(registrationId, player);
  await pay(first, '40.5');
  await withdraw(entryId, player);
  await register({ eventId }, player);
  const second = await createInvoice((await entry(eventId, player))?.registration ?? '', player);
  expect({ isSame: first === second, first: await amountsOf(first), second: await amountsOf(second) }).toEqual({
    isSame: false,
    first: { total: '0', paid: '40.5', balance: '0', refundRequested: '40.5' },
    second: { total: '95', paid: '0', balance: '95', refundRequested: '0' },
  });
});

test('a discount code can be used again after a paid withdrawal, and its discount is not refunded', async () => {
  await save('DiscountCode', { id: 'again', code: 'AGAIN', discount: '15', appliesToRegistration: true });
  const { player, entryId, eventId, registrationId } = await enterPlayer({ fee: '95' });
  const first = await createInvoice(registrationId, player, { discountCode: 'AGAIN' });
  await pay(first, '80');
  await withdraw(entryId, player);
  await register({ eventId }, player);
  const next = (await entry(eventId, player))?.registration ?? '';
  expect({
    first: await amountsOf(first),
    second: await checkout({ registrationId: next, discountCode: 'AGAIN' }, player),
  }).toEqual({
    first: { total: '0', paid: '80', balance: '0', refundRequested: '80' },
    second: { invoice: { total: '80' } },
  });
});
