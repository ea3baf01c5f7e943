import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/app.js';
import { entriesOf } from '../support/entries.js';

let app: TestApp;
let eve: Person;
beforeAll(async () => {
  app = await startApp();
  eve = await app.person({ firstName: 'Eve' });
});
afterAll(() => app.close());

const { open, register, confirm, withdraw, withdrawRegistration, invitations, entry, checkout, save } = entriesOf(() => app);

/** A player who is registered for an event of a new tournament. */
async function entered(event: object = { fee: '40' }, tournament: object = {}) {
  const who = await app.person();
  const eventId = await open(event, tournament);
  await register({ eventId }, who);
  const own = await entry(eventId, who);
  const row = await app.sql.row<{ id: string }>('select tournament_id as id from tournament_event where id = $1', [eventId]);
  return { who, eventId, entryId: own?.id ?? '', registrationId: own?.registration ?? '', tournamentId: row?.id ?? '' };
}
const bill = async (registrationId: string, who: Person, input: object = {}): Promise<string> =>
  (await checkout({ registrationId, ...input }, who, 'invoice { id }')).invoice.id;
const invoice = async (id: string, fields: string, tokens?: object) =>
  (await app.graphql(`{ invoice(id: "${id}") { ${fields} } }`, {}, tokens)).invoice;
const refunds = 'refunds { amount currency { abbreviation } invoice { id } }';

describe('withdrawing after paying', () => {
  test('tells what is to be paid back, and notes it on the invoice, where the platform sees it and settles it', async () => {
    const { who, entryId, registrationId, tournamentId } = await entered({ fee: '40' }, { registrationFee: '10' });
    await save('TournamentEvent', { id: `too-${tournamentId}`, tournamentId, fee: '5.50' });
    await register({ eventId: `too-${tournamentId}` }, who);
    const id = await bill(registrationId, who);
    await save('Payment', { invoiceId: id, amount: '55.5' });
    const answer = await withdraw(entryId, who, refunds);
    const sums = 'total paid balance refundRequested';
    const asked = await invoice(
      id,
      `${sums} items(filter: { refundRequestedAt: { isNull: false } }) { nodes { event { fee } } }`,
    );
    await save('Payment', { invoiceId: id, amount: '40', isRefund: true });
    const settled = await invoice(id, sums);
    const rest = await withdrawRegistration(registrationId, who, refunds);
    expect([answer, asked, settled, rest, (await invoice(id, 'refundRequested')).refundRequested]).toEqual([
      { refunds: [{ amount: '40', currency: { abbreviation: 'USD' }, invoice: { id } }] },
      { total: '55.5', paid: '55.5', balance: '0', refundRequested: '40', items: { nodes: [{ event: { fee: '40' } }] } },
      { total: '55.5', paid: '15.5', balance: '40', refundRequested: '0' },
      { refunds: [{ amount: '15.5', currency: { abbreviation: 'USD' }, invoice: { id } }] },
      '15.5',
    ]);
  });

  test('asks for the price less its discount, and for no more than was paid beyond the rest', async () => {
    await save('DiscountCode', { id: 'less', code: 'LESS', discount: '15', appliesToRegistration: true });
    const discounted = await entered();
    const id = await bill(discounted.registrationId, discounted.who, { discountCode: 'LESS' });
    await save('Payment', { invoiceId: id, amount: '25' });
    const partly = await entered({ fee: '40' }, { registrationFee: '10' });
    const other = await bill(partly.registrationId, partly.who);
    await save('Payment', { invoiceId: other, amount: '20' });
    await save('TournamentEvent', { id: 'kept', tournamentId: partly.tournamentId });
    await register({ eventId: 'kept' }, partly.who);
    expect([
      await withdraw(discounted.entryId, discounted.who, 'refunds { amount }'),
      await withdraw(partly.entryId, partly.who, 'refunds { amount }'),
    ]).toEqual([{ refunds: [{ amount: '25' }] }, { refunds: [{ amount: '10' }] }]);
  });

  test('is nothing where nothing was paid, once at the same moment, and nobody else sees it', async () => {
    const unpaid = await entered();
    await bill(unpaid.registrationId, unpaid.who);
    const [one, two] = [await app.person(), await app.person()];
    const eventId = await open({ fee: '30' });
    await register({ eventId, partnerId: two.id }, one);
    await confirm((await invitations(two))[0].id, two);
    const [mine, theirs] = [await entry(eventId, one), await entry(eventId, two)];
    const id = await bill(theirs?.registration ?? '', two);
    await save('Payment', { invoiceId: id, amount: '30' });
    const answers = await Promise.all([
      withdraw(mine?.id ?? '', one, 'refunds { amount }'),
      withdraw(theirs?.id ?? '', two, 'refunds { amount }'),
    ]);
    const [mineOnly] = answers.filter((answer) => !Array.isArray(answer));
    expect([
      await withdraw(unpaid.entryId, unpaid.who, 'refunds { amount }'),
      answers.filter(Array.isArray).length,
      [[], [{ amount: '30' }]].some((own) => JSON.stringify(own) === JSON.stringify(mineOnly.refunds)),
      await invoice(id, 'refundRequested', { user: two.user }),
      await invoice(id, 'refundRequested', { user: eve.user }),
    ]).toEqual([{ refunds: [] }, 1, true, { refundRequested: '30' }, null]);
  });
});

test('a code of what was never paid is given back once, however many withdraw and check out at the same moment', async () => {
  await save('DiscountCode', { id: 'once', code: 'ONCE', discount: '1', issued: 1, appliesToRegistration: true });
  const first = await entered();
  await bill(first.registrationId, first.who, { discountCode: 'ONCE' });
  const others = await Promise.all([1, 2, 3, 4].map(() => entered()));
  const uses = () => app.sql.row(`select count(distinct invoice_id)::int as n from invoice_item where discount_code_id = 'once'`);
  await Promise.all([
    withdraw(first.entryId, first.who),
    withdrawRegistration(first.registrationId, first.who),
    checkout({ registrationId: first.registrationId, discountCode: 'ONCE' }, first.who),
    ...others.map(({ who, registrationId }) => checkout({ registrationId, discountCode: 'ONCE' }, who)),
  ]);
  const during = await uses();
  const after = await Promise.all(
    others.map(({ who, registrationId }) => checkout({ registrationId, discountCode: 'ONCE' }, who, 'invoice { id total }')),
  );
  const [winner] = after.filter((answer) => !Array.isArray(answer));
  await save('Payment', { invoiceId: winner.invoice.id, amount: '39' });
  const paid = others[after.indexOf(winner)];
  await withdraw(paid?.entryId ?? '', paid?.who ?? eve);
  const late = await entered();
  expect([
    [0, 1].includes(Number(during?.n)),
    after.filter(Array.isArray).length,
    await uses(),
    await checkout({ registrationId: late.registrationId, discountCode: 'ONCE' }, late.who),
  ]).toEqual([true, 3, { n: 1 }, ['CONFLICT: input.discountCode: the discount code is used up']]);
});

test('negative fees lower no invoice', async () => {
  const { who, registrationId, tournamentId } = await entered({ fee: '-30' }, { registrationFee: '-5' });
  await save('TournamentEvent', { id: 'dear', tournamentId, fee: '20' });
  await register({ eventId: 'dear' }, who);
  expect(await checkout({ registrationId }, who, 'invoice { total items { totalCount } }')).toEqual({
    invoice: { total: '20', items: { totalCount: 2 } },
  });
});

describe('the request to the payment provider', () => {
  const both = { acceptsProviderOne: true, acceptsProviderTwo: true };
  const one = { isEnabled: true, account: 'shop@example.com' };
  const two = { isEnabled: true, merchantId: 'acct_1', email: 'pay@example.com' };
  const setUp = async (moduleId: string, setup: object, link: object) => {
    await save('PaymentSetup', { moduleId, ...setup });
    await save('MerchantLink', { moduleId, ...link });
  };
  const fields = 'methods request { id provider payeeAccount secondPayeeAccount totalAmount supersededAt }';

  test('is for the provider of the platform, the second one, too', async () => {
    const [second, either] = [await entered(), await entered()];
    await setUp(second.tournamentId, { acceptsProviderTwo: true }, { providerOne: one, providerTwo: two });
    await setUp(either.tournamentId, both, { providerOne: one, providerTwo: two });
    const input = { registrationId: either.registrationId };
    const request = { totalAmount: '40', supersededAt: null };
    const ofTwo = { ...request, provider: 'PROVIDER_TWO', payeeAccount: 'acct_1', secondPayeeAccount: 'pay@example.com' };
    const ofOne = { ...request, provider: 'PROVIDER_ONE', payeeAccount: 'shop@example.com', secondPayeeAccount: null };
    const methods = ['PROVIDER_ONE', 'PROVIDER_TWO'];
    const id = expect.any(String);
    expect([
      await checkout({ registrationId: second.registrationId }, second.who, fields),
      await checkout(input, either.who, fields),
      await checkout({ ...input, provider: 'PROVIDER_TWO' }, either.who, fields),
      await checkout({ registrationId: second.registrationId, provider: 'PROVIDER_ONE' }, second.who, fields),
    ]).toEqual([
      { methods: ['PROVIDER_TWO'], request: { id, ...ofTwo } },
      { methods, request: { id, ...ofOne } },
      { methods, request: { id, ...ofTwo } },
      ['BAD_INPUT: input.provider: expected a payment provider that is open for the tournament'],
    ]);
  });

  test('replaces the earlier one of another amount, and goes with what is withdrawn', async () => {
    const { who, registrationId, tournamentId, entryId } = await entered();
    await setUp(tournamentId, both, { providerOne: one });
    const first = await checkout({ registrationId }, who, 'request { id }');
    await save('TournamentEvent', { id: 'more', tournamentId, fee: '2' });
    await register({ eventId: 'more' }, who);
    const second = await checkout({ registrationId }, who, 'request { id }');
    const counting = async () => {
      const filter = `registrationId: { eq: "${registrationId}" }, supersededAt: { isNull: true }`;
      return (await app.graphql(`{ providerRequests(filter: { ${filter} }) { nodes { id } } }`)).providerRequests.nodes;
    };
    const before = await counting();
    await withdraw(entryId, who);
    expect([first.request.id === second.request.id, before, await counting()]).toEqual([false, [second.request], []]);
  });

  test('is one, however often it is checked out at the same moment with and without a code', async () => {
    const { who, registrationId, tournamentId } = await entered();
    await setUp(tournamentId, both, { providerOne: one });
    await save('DiscountCode', { id: 'some', code: 'SOME', discount: '3', appliesToRegistration: true });
    await Promise.all(
      [undefined, 'SOME', undefined, 'SOME'].map((discountCode) => checkout({ registrationId, discountCode }, who)),
    );
    const rows = await app.sql.rows(
      'select total_amount as amount from provider_request where registration_id = $1 and superseded_at is null',
      [registrationId],
    );
    expect(rows).toEqual([{ amount: '37' }]);
  });
});
