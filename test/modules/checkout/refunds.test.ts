import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let eve: Person;
beforeAll(async () => {
  app = await startApp();
  eve = await app.person({ firstName: 'Eve' });
});
afterAll(() => app.close());

const { open, register, enterPlayer, confirm, withdraw, withdrawRegistration, invitations, entry, checkout, save } = entriesOf(
  () => app,
);

/** Checks out and returns the ID of the invoice. */
const createInvoice = async (registrationId: string, player: Person, input: object = {}): Promise<string> =>
  (await checkout({ registrationId, ...input }, player, 'invoice { id }')).invoice.id;
const invoice = async (id: string, fields: string, tokens?: object) =>
  (await app.graphql(`{ invoice(id: "${id}") { ${fields} } }`, {}, tokens)).invoice;

describe('withdrawing after paying', () => {
  test('returns the refund and requests it on the invoice, until the platform settles it', async () => {
    const { player, entryId, registrationId, tournamentId } = await enterPlayer({ fee: '40' }, { registrationFee: '10' });
    await save('TournamentEvent', { id: `too-${tournamentId}`, tournamentId, fee: '5.50' });
    await register({ eventId: `too-${tournamentId}` }, player);
    const id = await createInvoice(registrationId, player);
    await save('Payment', { invoiceId: id, amount: '55.5' });
    const refundFields = 'refunds { amount currency { abbreviation } invoice { id } }';
    const amountFields = 'total paid balance refundRequested';
    const itemFields = 'items(filter: { refundRequestedAt: { isNull: false } }) { nodes { event { fee } } }';
    const entryWithdrawn = await withdraw(entryId, player, refundFields);
    const invoiceWithRequest = await invoice(id, `${amountFields} ${itemFields}`);
    await save('Payment', { invoiceId: id, amount: '40', isRefund: true });
    const settledInvoice = await invoice(id, amountFields);
    const registrationWithdrawn = await withdrawRegistration(registrationId, player, refundFields);
    const { refundRequested } = await invoice(id, 'refundRequested');
    const refund = { currency: { abbreviation: 'USD' }, invoice: { id } };
    expect({ entryWithdrawn, invoiceWithRequest, settledInvoice, registrationWithdrawn, refundRequested }).toEqual({
      entryWithdrawn: { refunds: [{ amount: '40', ...refund }] },
      invoiceWithRequest: {
        total: '15.5',
        paid: '55.5',
        balance: '0',
        refundRequested: '40',
        items: { nodes: [{ event: { fee: '40' } }] },
      },
      settledInvoice: { total: '15.5', paid: '15.5', balance: '0', refundRequested: '0' },
      registrationWithdrawn: { refunds: [{ amount: '15.5', ...refund }] },
      refundRequested: '15.5',
    });
  });

  test('refunds the price without the discount', async () => {
    await save('DiscountCode', { id: 'less', code: 'LESS', discount: '15', appliesToRegistration: true });
    const { player, entryId, registrationId } = await enterPlayer();
    const invoiceId = await createInvoice(registrationId, player, { discountCode: 'LESS' });
    await save('Payment', { invoiceId, amount: '25' });
    expect(await withdraw(entryId, player, 'refunds { amount }')).toEqual({ refunds: [{ amount: '25' }] });
  });

  test('refunds at most the amount paid beyond the remaining items', async () => {
    const { player, entryId, registrationId, tournamentId } = await enterPlayer({ fee: '40' }, { registrationFee: '10' });
    const invoiceId = await createInvoice(registrationId, player);
    await save('Payment', { invoiceId, amount: '20' });
    await save('TournamentEvent', { id: 'kept', tournamentId });
    await register({ eventId: 'kept' }, player);
    expect(await withdraw(entryId, player, 'refunds { amount }')).toEqual({ refunds: [{ amount: '10' }] });
  });

  test('refunds nothing when nothing was paid', async () => {
    const { player, entryId, registrationId } = await enterPlayer();
    await createInvoice(registrationId, player);
    expect(await withdraw(entryId, player, 'refunds { amount }')).toEqual({ refunds: [] });
  });

  test('refunds only once when both players of a team withdraw at the same time, and only the payer sees the refund', async () => {
    const [partner, payer] = [await app.person(), await app.person()];
    const eventId = await open({ fee: '30' });
    await register({ eventId, partnerId: payer.id }, partner);
    await confirm((await invitations(payer))[0].id, payer);
    const [entryOfPartner, entryOfPayer] = [await entry(eventId, partner), await entry(eventId, payer)];
    const invoiceId = await createInvoice(entryOfPayer?.registration ?? '', payer);
    await save('Payment', { invoiceId, amount: '30' });
    const answers = await Promise.all([
      withdraw(entryOfPartner?.id ?? '', partner, 'refunds { amount }'),
      withdraw(entryOfPayer?.id ?? '', payer, 'refunds { amount }'),
    ]);
    const [withdrawn] = answers.filter((answer) => !Array.isArray(answer));
    expect({
      // The withdrawal of the partner, who paid nothing, may have been processed first.
      refunds: withdrawn.refunds,
      errorCount: answers.filter(Array.isArray).length,
      invoiceForPayer: await invoice(invoiceId, 'refundRequested', { user: payer.user }),
      invoiceForAnotherUser: await invoice(invoiceId, 'refundRequested', { user: eve.user }),
    }).toEqual({
      refunds: expect.toBeOneOf([[], [{ amount: '30' }]]),
      errorCount: 1,
      invoiceForPayer: { refundRequested: '30' },
      invoiceForAnotherUser: null,
    });
  });
});

test('a new entry and registration with the IDs of withdrawn ones are billed, although the earlier ones were paid', async () => {
  const { player, eventId, entryId, registrationId, tournamentId } = await enterPlayer({ fee: '5' }, { registrationFee: '10' });
  await save('Payment', { invoiceId: await createInvoice(registrationId, player), amount: '15' });
  await withdraw(entryId, player);
  await save('TournamentEvent', { id: `dear-${eventId}`, tournamentId, fee: '90' });
  const input = { id: entryId, eventId: `dear-${eventId}`, registrationId };
  await app.graphql(
    'mutation ($input: EventRegistrationInput!) { createEventRegistration(input: $input) { id } }',
    { input },
    { user: player.user },
  );
  expect(await checkout({ registrationId }, player, 'invoice { total }')).toEqual({ invoice: { total: '100' } });
});

test('an entry and a registration with the IDs of those of another player are billed, although that player has paid', async () => {
  const paid = await enterPlayer({ fee: '5' }, { registrationFee: '10' });
  await save('Payment', { invoiceId: await createInvoice(paid.registrationId, paid.player), amount: '15' });
  await app.graphql(`mutation { entry: deleteEventRegistration(id: "${paid.entryId}") { id } }`);
  await app.graphql(`mutation { registration: deleteRegistration(id: "${paid.registrationId}") { id } }`);
  const input = { id: paid.entryId, eventId: paid.eventId, registrationId: paid.registrationId };
  await app.graphql(
    'mutation ($input: EventRegistrationInput!) { createEventRegistration(input: $input) { id } }',
    { input },
    { user: eve.user },
  );
  expect(await checkout({ registrationId: paid.registrationId }, eve, 'invoice { total }')).toEqual({
    invoice: { total: '15' },
  });
});

test('a withdrawal before payment releases the discount code for one of several concurrent checkouts', async () => {
  await save('DiscountCode', { id: 'once', code: 'ONCE', discount: '1', issued: 1, appliesToRegistration: true });
  const first = await enterPlayer();
  await createInvoice(first.registrationId, first.player, { discountCode: 'ONCE' });
  const others = await Promise.all([1, 2, 3, 4].map(() => enterPlayer()));
  const uses = () =>
    app.sql.row(`select count(distinct invoice_id)::int as count from invoice_item where discount_code_id = 'once'`);
  await Promise.all([
    withdraw(first.entryId, first.player),
    withdrawRegistration(first.registrationId, first.player),
    checkout({ registrationId: first.registrationId, discountCode: 'ONCE' }, first.player),
    ...others.map(({ player, registrationId }) => checkout({ registrationId, discountCode: 'ONCE' }, player)),
  ]);
  const usesAfterWithdrawal = await uses();
  const checkouts = await Promise.all(
    others.map(({ player, registrationId }) =>
      checkout({ registrationId, discountCode: 'ONCE' }, player, 'invoice { id total }'),
    ),
  );
  const [successful] = checkouts.filter((answer) => !Array.isArray(answer));
  await save('Payment', { invoiceId: successful.invoice.id, amount: '39' });
  const paid = others[checkouts.indexOf(successful)];
  await withdraw(paid?.entryId ?? '', paid?.player ?? eve);
  const late = await enterPlayer();
  expect({
    usesAfterWithdrawal,
    rejectedCheckoutCount: checkouts.filter(Array.isArray).length,
    usesAfterPaidWithdrawal: await uses(),
    lateCheckout: await checkout({ registrationId: late.registrationId, discountCode: 'ONCE' }, late.player),
  }).toEqual({
    usesAfterWithdrawal: expect.toBeOneOf([{ count: 0 }, { count: 1 }]),
    rejectedCheckoutCount: 3,
    usesAfterPaidWithdrawal: { count: 1 },
    lateCheckout: ['CONFLICT: input.discountCode: the discount code is used up'],
  });
});

test('negative fees do not reduce an invoice', async () => {
  const { player, registrationId, tournamentId } = await enterPlayer({ fee: '-30' }, { registrationFee: '-5' });
  await save('TournamentEvent', { id: 'positive', tournamentId, fee: '20' });
  await register({ eventId: 'positive' }, player);
  expect(await checkout({ registrationId }, player, 'invoice { total items { totalCount } }')).toEqual({
    invoice: { total: '20', items: { totalCount: 2 } },
  });
});

describe('the request to the payment provider', () => {
  const acceptsBoth = { acceptsProviderOne: true, acceptsProviderTwo: true };
  const providerOne = { isEnabled: true, account: 'shop@example.com' };
  const providerTwo = { isEnabled: true, merchantId: 'acct_1', email: 'pay@example.com' };
  const setUpPayments = async (moduleId: string, setup: object, link: object) => {
    await save('PaymentSetup', { moduleId, ...setup });
    await save('MerchantLink', { moduleId, ...link });
  };

  test('is for a provider that the tournament accepts, by default the first one', async () => {
    const [onlyTwo, both] = [await enterPlayer(), await enterPlayer()];
    await setUpPayments(onlyTwo.tournamentId, { acceptsProviderTwo: true }, { providerOne, providerTwo });
    await setUpPayments(both.tournamentId, acceptsBoth, { providerOne, providerTwo });
    const fields = 'methods request { id provider payeeAccount secondPayeeAccount totalAmount supersededAt }';
    const request = { id: expect.any(String), totalAmount: '40', supersededAt: null };
    const toOne = { ...request, provider: 'PROVIDER_ONE', payeeAccount: 'shop@example.com', secondPayeeAccount: null };
    const toTwo = { ...request, provider: 'PROVIDER_TWO', payeeAccount: 'acct_1', secondPayeeAccount: 'pay@example.com' };
    const methods = ['PROVIDER_ONE', 'PROVIDER_TWO'];
    const requestFor = ({ registrationId, player }: typeof both, provider?: string) =>
      checkout({ registrationId, provider }, player, fields);
    expect({
      onlyTwo: await requestFor(onlyTwo),
      bothByDefault: await requestFor(both),
      bothWithTwo: await requestFor(both, 'PROVIDER_TWO'),
      onlyTwoWithOne: await requestFor(onlyTwo, 'PROVIDER_ONE'),
    }).toEqual({
      onlyTwo: { methods: ['PROVIDER_TWO'], request: toTwo },
      bothByDefault: { methods, request: toOne },
      bothWithTwo: { methods, request: toTwo },
      onlyTwoWithOne: ['BAD_INPUT: input.provider: expected a payment provider that the tournament accepts'],
    });
  });

  test('replaces an earlier request of another amount, and is superseded by a withdrawal', async () => {
    const { player, registrationId, tournamentId, entryId } = await enterPlayer();
    await setUpPayments(tournamentId, acceptsBoth, { providerOne });
    const { request: first } = await checkout({ registrationId }, player, 'request { id }');
    await save('TournamentEvent', { id: 'more', tournamentId, fee: '2' });
    await register({ eventId: 'more' }, player);
    const { request: second } = await checkout({ registrationId }, player, 'request { id }');
    const validRequests = async () => {
      const filter = `registrationId: { eq: "${registrationId}" }, supersededAt: { isNull: true }`;
      return (await app.graphql(`{ providerRequests(filter: { ${filter} }) { nodes { id } } }`)).providerRequests.nodes;
    };
    const beforeWithdrawal = await validRequests();
    await withdraw(entryId, player);
    expect({ isSame: first.id === second.id, beforeWithdrawal, afterWithdrawal: await validRequests() }).toEqual({
      isSame: false,
      beforeWithdrawal: [second],
      afterWithdrawal: [],
    });
  });

  test('is created once for concurrent checkouts with and without a code', async () => {
    const { player, registrationId, tournamentId } = await enterPlayer();
    await setUpPayments(tournamentId, acceptsBoth, { providerOne });
    await save('DiscountCode', { id: 'some', code: 'SOME', discount: '3', appliesToRegistration: true });
    await Promise.all(
      [undefined, 'SOME', undefined, 'SOME'].map((discountCode) => checkout({ registrationId, discountCode }, player)),
    );
    const rows = await app.sql.rows(
      'select total_amount as amount from provider_request where registration_id = $1 and superseded_at is null',
      [registrationId],
    );
    expect(rows).toEqual([{ amount: '37' }]);
  });
});
