import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let ana: Person;
let eve: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person();
  eve = await app.person({ firstName: 'Eve' });
});
afterAll(() => app.close());

const { open, register, enterPlayer, confirm, withdraw, invitations, entry, checkout, save } = entriesOf(() => app);

const invoiceFields =
  'invoice { id total balance currency: amounts { legacy { currency } } items(orderBy: [{ field: CREATED_AT }]) { nodes { type title unitPrice units legacy { currency } event { id } eventRegistration { id } discountCodeId } } }';
const totalFields = 'invoice { id total }';

const createCode = (values: object) => save('DiscountCode', { appliesToRegistration: true, ...values });
const requestsOf = (registrationId: string) =>
  app.sql.rows('select id from provider_request where registration_id = $1', [registrationId]);

test('two players register as a team, the partner confirms, both check out with a code, and one withdraws', async () => {
  const [one, two] = [await app.person(), await app.person()];
  const eventId = await open({ formatId: '3', fee: '20.10', maxTeams: 1 }, { registrationFee: '65.2', currency: 'usd' });
  await register({ eventId, partnerId: two.id }, one);
  await confirm((await invitations(two))[0].id, two);
  const [entryOfOne, entryOfTwo] = [await entry(eventId, one), await entry(eventId, two)];
  await createCode({ id: 'early', code: 'EARLY', discount: '70.25', issued: 2 });
  const { invoice } = await checkout({ registrationId: entryOfOne?.registration, discountCode: 'EARLY' }, one, invoiceFields);
  const item = { units: 1, legacy: { currency: 'USD' } };
  const early = { ...item, type: 'DISCOUNT', title: 'EARLY', discountCodeId: 'early' };
  const doubles = { event: { id: eventId }, eventRegistration: { id: entryOfOne?.id } };
  const noEvent = { event: null, eventRegistration: null };
  expect(invoice).toEqual({
    id: invoice.id,
    total: '15.05',
    balance: '15.05',
    currency: [{ legacy: { currency: 'USD' } }],
    items: {
      nodes: [
        { ...item, ...noEvent, type: 'REGISTRATION', title: 'Registration', unitPrice: '65.2', discountCodeId: null },
        { ...item, ...doubles, type: 'EVENT', title: 'Doubles', unitPrice: '20.1', discountCodeId: null },
        { ...early, ...noEvent, unitPrice: '-65.2' },
        { ...early, ...doubles, unitPrice: '-5.05' },
      ],
    },
  });
  const { invoice: invoiceOfTwo } = await checkout(
    { registrationId: entryOfTwo?.registration, discountCode: 'EARLY' },
    two,
    totalFields,
  );
  await withdraw(entryOfTwo?.id ?? '', two);
  const { invoices } = await app.graphql(
    `{ invoices(filter: { id: { in: ["${invoice.id}", "${invoiceOfTwo.id}"] } }) { nodes { total } } }`,
  );
  expect({
    totalOfTwo: invoiceOfTwo.total,
    invoicesAfterWithdrawal: invoices.nodes,
    nextTeam: await register({ eventId, partnerId: ana.id }, eve, 'playerTwo { id }'),
  }).toEqual({
    totalOfTwo: '15.05',
    invoicesAfterWithdrawal: [{ total: '0' }, { total: '0' }],
    nextTeam: { playerTwo: { id: ana.id } },
  });
});

describe('checking out', () => {
  test('creates one payment request for the provider of the tournament, and reuses it for the same amount', async () => {
    const { player, registrationId, tournamentId } = await enterPlayer({ fee: '40' }, { isTest: true });
    await save('PaymentSetup', {
      moduleId: tournamentId,
      acceptsProviderOne: true,
      acceptsOnsite: true,
      redirect: { isEnabled: false },
    });
    await save('MerchantLink', { moduleId: tournamentId, providerOne: { isEnabled: true, account: 'shop@example.com' } });
    const fields =
      'methods request { totalAmount legacy { currency } payeeAccount isTest invoiceId transactionId registrationId } invoice { id total }';
    const first = await checkout({ registrationId }, player, fields);
    const second = await checkout({ registrationId }, player, fields);
    expect({ second, requestCount: (await requestsOf(registrationId)).length }).toEqual({
      second: {
        methods: ['PROVIDER_ONE', 'ONSITE'],
        request: {
          totalAmount: '40',
          legacy: { currency: 'USD' },
          payeeAccount: 'shop@example.com',
          isTest: true,
          invoiceId: first.invoice.id,
          transactionId: first.request.transactionId,
          registrationId,
        },
        invoice: { id: first.invoice.id, total: '40' },
      },
      requestCount: 1,
    });
  });

  test('creates no payment request if nothing is due, or if no provider is configured', async () => {
    const [free, notConfigured] = [await enterPlayer({ fee: null }), await enterPlayer()];
    const fields = 'methods request { id } invoice { total }';
    expect({
      free: await checkout({ registrationId: free.registrationId }, free.player, fields),
      notConfigured: await checkout({ registrationId: notConfigured.registrationId }, notConfigured.player, fields),
    }).toEqual({
      free: { methods: [], request: null, invoice: { total: '0' } },
      notConfigured: { methods: [], request: null, invoice: { total: '40' } },
    });
  });

  test('three times at the same time creates one invoice with each item once', async () => {
    const { player, registrationId } = await enterPlayer({ fee: '40' }, { registrationFee: '10' });
    const answers = await Promise.all([1, 2, 3].map(() => checkout({ registrationId }, player, totalFields)));
    expect({
      invoiceCount: new Set(answers.map(({ invoice }) => invoice.id)).size,
      totals: answers.map(({ invoice }) => invoice.total),
    }).toEqual({ invoiceCount: 1, totals: ['50', '50', '50'] });
  });

  test('after paying creates a second invoice for new entries only, and the first one is not completed', async () => {
    const { player, registrationId, tournamentId, entryId } = await enterPlayer({ fee: '40' }, { registrationFee: '10' });
    const { invoice: first } = await checkout({ registrationId }, player, totalFields);
    await save('Payment', { invoiceId: first.id, amount: '50' });
    const withoutNewEntries = await checkout({ registrationId }, player, totalFields);
    await save('TournamentEvent', { id: `more-${tournamentId}`, tournamentId, fee: '5' });
    await register({ eventId: `more-${tournamentId}` }, player);
    const { invoice: second } = await checkout({ registrationId }, player, totalFields);
    await withdraw(entryId, player);
    const { invoice: firstAfterWithdrawal } = await app.graphql(`{ invoice(id: "${first.id}") { total balance } }`);
    expect({
      withoutNewEntries,
      secondTotal: second.total,
      isSameInvoice: second.id === first.id,
      firstAfterWithdrawal,
    }).toEqual({
      withoutNewEntries: ['CONFLICT: there is nothing to check out'],
      secondTotal: '5',
      isSameInvoice: false,
      firstAfterWithdrawal: { total: '10', balance: '0' },
    });
  });

  test("needs the caller's own registration for a tournament that is not canceled", async () => {
    const { registrationId, player } = await enterPlayer();
    const canceled = await enterPlayer();
    await save('Tournament', { id: canceled.tournamentId, isCanceled: true });
    expect({
      ofAnotherPlayer: await checkout({ registrationId }, eve),
      unknown: await checkout({ registrationId: 'none' }, player),
      empty: await checkout({ registrationId: '', discountCode: ' ' }, player),
      canceled: await checkout({ registrationId: canceled.registrationId }, canceled.player),
    }).toEqual({
      ofAnotherPlayer: ['FORBIDDEN: the registration belongs to another user'],
      unknown: ['NOT_FOUND: no registration with the id none'],
      empty: [
        'BAD_INPUT: input.registrationId: expected the id of a registration; input.discountCode: expected a code of 1 to 255 characters',
      ],
      canceled: ['CONFLICT: the tournament is canceled'],
    });
  });
});

describe('a discount code', () => {
  test('can be used as often as it was issued, even concurrently, and again after a withdrawal', async () => {
    await createCode({ id: 'twice', code: 'TWICE', discount: '1', issued: 2 });
    const entries = await Promise.all(Array.from({ length: 5 }, () => enterPlayer()));
    const answers = await Promise.all(
      [...entries, ...entries].map(({ player, registrationId }) =>
        checkout({ registrationId, discountCode: 'TWICE' }, player, totalFields),
      ),
    );
    const errors = answers.filter(Array.isArray).flat();
    const used = await app.sql.row(
      `select count(distinct invoice_id)::int as invoices, count(*)::int as items from invoice_item where discount_code_id = 'twice'`,
    );
    expect({ errors: new Set(errors), errorCount: errors.length, used }).toEqual({
      errors: new Set(['CONFLICT: input.discountCode: the discount code is used up']),
      errorCount: 6,
      used: { invoices: 2, items: 2 },
    });
    const [entryWithCode] = entries.filter((_, index) => !Array.isArray(answers[index]));
    await withdraw(entryWithCode?.entryId ?? '', entryWithCode?.player ?? ana);
    const next = await enterPlayer();
    expect(await checkout({ registrationId: next.registrationId, discountCode: 'TWICE' }, next.player)).toEqual({
      invoice: { total: '39' },
    });
  });

  test('may be added to an invoice later, replaces another code, and never makes the total negative', async () => {
    const { player, registrationId } = await enterPlayer({ fee: '0.3' });
    await createCode({ id: 'ten-cents', code: 'TEN', discount: '0.1' });
    await createCode({ id: 'much', code: 'MUCH', discount: '1000' });
    await createCode({ id: 'all', code: 'ALL', coversEverything: true });
    const totalWith = async (discountCode?: string) => (await checkout({ registrationId, discountCode }, player)).invoice.total;
    expect({
      withoutCode: await totalWith(),
      tenCents: await totalWith('TEN'),
      unchanged: await totalWith(),
      moreThanTotal: await totalWith('MUCH'),
      everything: await totalWith('ALL'),
      tenCentsAgain: await totalWith('TEN'),
    }).toEqual({
      withoutCode: '0.3',
      tenCents: '0.2',
      unchanged: '0.2',
      moreThanTotal: '0',
      everything: '0',
      tenCentsAgain: '0.2',
    });
    const usedCodes = await app.sql.rows(
      'select distinct discount_code_id as id from invoice_item i join invoice on invoice.id = i.invoice_id where registration_id = $1 and discount_code_id is not null',
      [registrationId],
    );
    expect(usedCodes).toEqual([{ id: 'ten-cents' }]);
  });

  test('of the tournament has priority over one for all tournaments, and is not valid for other tournaments', async () => {
    const { player, registrationId, tournamentId } = await enterPlayer();
    const other = await enterPlayer();
    await createCode({ id: 'of-all', code: 'SAME', discount: '1' });
    await createCode({ id: 'of-this', code: 'SAME', discount: '2', moduleId: tournamentId });
    await createCode({ id: 'only-this', code: 'ONLY', discount: '2', moduleId: tournamentId });
    expect({
      bothAtTournament: await checkout({ registrationId, discountCode: 'SAME' }, player),
      bothElsewhere: await checkout({ registrationId: other.registrationId, discountCode: 'SAME' }, other.player),
      onlyTournamentElsewhere: await checkout({ registrationId: other.registrationId, discountCode: 'ONLY' }, other.player),
    }).toEqual({
      bothAtTournament: { invoice: { total: '38' } },
      bothElsewhere: { invoice: { total: '39' } },
      onlyTournamentElsewhere: ['BAD_INPUT: input.discountCode: expected a discount code of the tournament'],
    });
  });

  describe('that cannot be used', () => {
    let entered: Awaited<ReturnType<typeof enterPlayer>>;
    beforeAll(async () => {
      entered = await enterPlayer();
    });

    test.each([
      ['is disabled', 'disabled', { disabledAt: instantAt(-1) }],
      ['is not valid yet', 'early', { startsAt: instantAt(1) }],
      ['has expired', 'late', { expiresAt: instantAt(-1) }],
      ['is not for registrations', 'goods', { appliesToRegistration: false, appliesToMerchandise: true }],
      ['gives no discount', 'empty', { discount: null }],
      ['is used up', 'used', { issued: 0 }],
    ])('because it %s is rejected, and no invoice is created', async (reason, id, values) => {
      const { player, registrationId } = entered;
      await createCode({ id, code: id, discount: '5', ...values });
      expect({
        errors: await checkout({ registrationId, discountCode: id }, player),
        invoices: await app.sql.rows('select id from invoice where registration_id = $1', [registrationId]),
      }).toEqual({ errors: [`CONFLICT: input.discountCode: the discount code ${reason}`], invoices: [] });
    });
  });
});
