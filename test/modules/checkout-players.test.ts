import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/app.js';
import { entriesOf } from '../support/entries.js';
import { at } from '../support/tournaments.js';

let app: TestApp;
let ana: Person;
let eve: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person();
  eve = await app.person({ firstName: 'Eve' });
});
afterAll(() => app.close());

const { open, register, confirm, withdraw, invitations, entry, checkout, save } = entriesOf(() => app);

const lines =
  'invoice { id total balance currency: amounts { currencyRaw } items(orderBy: [{ field: CREATED_AT }]) { nodes { itemType title unitPrice units currencyRaw event { id } eventRegistration { id } discountCodeId } } }';
const total = 'invoice { id total }';

/** A player who is registered for an event of a new tournament. */
async function entered(event: object = { fee: '40' }, tournament: object = {}, player?: Person) {
  const who = player ?? (await app.person());
  const eventId = await open(event, tournament);
  await register({ eventId }, who);
  const own = await entry(eventId, who);
  const [row] = await app.sql.rows<{ id: string }>('select tournament_id as id from tournament_event where id = $1', [eventId]);
  return { who, eventId, entryId: own?.id ?? '', registrationId: own?.registration ?? '', tournamentId: row?.id ?? '' };
}
const code = (values: object) => save('DiscountCode', { appliesToRegistration: true, ...values });
const requests = (registrationId: string) =>
  app.sql.rows('select id from provider_request where registration_id = $1', [registrationId]);

test('two players register as a team, the partner confirms, each checks out with a code, one withdraws', async () => {
  const [one, two] = [await app.person(), await app.person()];
  const eventId = await open({ formatId: '3', fee: '20.10', maxTeams: 1 }, { registrationFee: '65.2', currencyRaw: 'usd' });
  await register({ eventId, partnerId: two.id }, one);
  await confirm((await invitations(two))[0].id, two);
  const [mine, theirs] = [await entry(eventId, one), await entry(eventId, two)];
  await code({ id: 'early', code: 'EARLY', discount: '70.25', issued: 2 });
  const input = { registrationId: mine?.registration, discountCode: 'EARLY' };
  const { invoice } = await checkout(input, one, lines);
  const item = { units: 1, currencyRaw: 'USD' };
  const early = { ...item, itemType: 'DISCOUNT', title: 'EARLY', discountCodeId: 'early' };
  const doubles = { event: { id: eventId }, eventRegistration: { id: mine?.id } };
  const none = { event: null, eventRegistration: null };
  expect(invoice).toEqual({
    id: invoice.id,
    total: '15.05',
    balance: '15.05',
    currency: [{ currencyRaw: 'USD' }],
    items: {
      nodes: [
        { ...item, ...none, itemType: 'REGISTRATION', title: 'Registration', unitPrice: '65.2', discountCodeId: null },
        { ...item, ...doubles, itemType: 'EVENT', title: 'Doubles', unitPrice: '20.1', discountCodeId: null },
        { ...early, ...none, unitPrice: '-65.2' },
        { ...early, ...doubles, unitPrice: '-5.05' },
      ],
    },
  });
  const other = await checkout({ ...input, registrationId: theirs?.registration }, two, total);
  await withdraw(theirs?.id ?? '', two);
  const left = await app.graphql(
    `{ invoices(filter: { id: { in: ["${invoice.id}", "${other.invoice.id}"] } }) { nodes { total } } }`,
  );
  expect([
    other.invoice.total,
    left.invoices.nodes,
    await register({ eventId, partnerId: ana.id }, eve, 'playerTwo { id }'),
  ]).toEqual(['15.05', [{ total: '0' }, { total: '0' }], { playerTwo: { id: ana.id } }]);
});

describe('checking out', () => {
  test('prepares the payment for the provider of the tournament, once for the same amount', async () => {
    const { who, registrationId, tournamentId } = await entered({ fee: '40' }, { isTest: true });
    await save('PaymentSetup', {
      moduleId: tournamentId,
      acceptsProviderOne: true,
      acceptsOnsite: true,
      redirect: { isEnabled: false },
    });
    await save('MerchantLink', { moduleId: tournamentId, providerOne: { isEnabled: true, account: 'shop@example.com' } });
    const fields =
      'methods request { totalAmount currencyRaw payeeAccount isTest invoiceId transactionId registrationId } invoice { id total }';
    const first = await checkout({ registrationId }, who, fields);
    const again = await checkout({ registrationId }, who, fields);
    const { transactionId } = first.request;
    expect([again, (await requests(registrationId)).length]).toEqual([
      {
        methods: ['PROVIDER_ONE', 'ONSITE'],
        request: {
          totalAmount: '40',
          currencyRaw: 'USD',
          payeeAccount: 'shop@example.com',
          isTest: true,
          invoiceId: first.invoice.id,
          transactionId,
          registrationId,
        },
        invoice: { id: first.invoice.id, total: '40' },
      },
      1,
    ]);
  });

  test('asks no provider where nothing is to be paid, or nothing was set up', async () => {
    const [free, plain] = [await entered({ fee: null }), await entered()];
    expect([
      await checkout({ registrationId: free.registrationId }, free.who, 'methods request { id } invoice { total }'),
      await checkout({ registrationId: plain.registrationId }, plain.who, 'methods request { id } invoice { total }'),
    ]).toEqual([
      { methods: [], request: null, invoice: { total: '0' } },
      { methods: [], request: null, invoice: { total: '40' } },
    ]);
  });

  test('twice at once makes one invoice with each line once', async () => {
    const { who, registrationId } = await entered({ fee: '40' }, { registrationFee: '10' });
    const answers = await Promise.all([1, 2, 3].map(() => checkout({ registrationId }, who, total)));
    expect([new Set(answers.map(({ invoice }) => invoice.id)).size, answers.map(({ invoice }) => invoice.total)]).toEqual([
      1,
      ['50', '50', '50'],
    ]);
  });

  test('what is paid stays; what is entered later comes on another invoice, without the fee of the registration', async () => {
    const { who, registrationId, tournamentId, entryId } = await entered({ fee: '40' }, { registrationFee: '10' });
    const { invoice } = await checkout({ registrationId }, who, total);
    await save('Payment', { invoiceId: invoice.id, amount: '50' });
    const nothing = await checkout({ registrationId }, who, total);
    await save('TournamentEvent', { id: `more-${tournamentId}`, tournamentId, fee: '5' });
    await register({ eventId: `more-${tournamentId}` }, who);
    const more = await checkout({ registrationId }, who, total);
    await withdraw(entryId, who);
    const paid = await app.graphql(`{ invoice(id: "${invoice.id}") { total balance } }`);
    expect([nothing, more.invoice.total, more.invoice.id === invoice.id, paid.invoice]).toEqual([
      ['CONFLICT: nothing is left to check out'],
      '5',
      false,
      { total: '50', balance: '0' },
    ]);
  });

  test('is for the own registration', async () => {
    const { registrationId, who } = await entered();
    const off = await entered();
    await save('Tournament', { id: off.tournamentId, isCanceled: true });
    expect([
      await checkout({ registrationId }, eve),
      await checkout({ registrationId: 'none' }, who),
      await checkout({ registrationId: '', discountCode: ' ' }, who),
      await checkout({ registrationId: off.registrationId }, off.who),
    ]).toEqual([
      ["FORBIDDEN: the registration is somebody else's"],
      ['NOT_FOUND: no registration with the id none'],
      [
        'BAD_INPUT: input.registrationId: expected the id of a registration; input.discountCode: expected a code of 1 to 255 characters',
      ],
      ['CONFLICT: the tournament was called off'],
    ]);
  });
});

describe('a discount code', () => {
  test('is used as often as it was issued, also at the same moment', async () => {
    await code({ id: 'twice', code: 'TWICE', discount: '1', issued: 2 });
    const players = await Promise.all(Array.from({ length: 5 }, () => entered()));
    const answers = await Promise.all(
      [...players, ...players].map(({ who, registrationId }) => checkout({ registrationId, discountCode: 'TWICE' }, who, total)),
    );
    const refused = answers.filter(Array.isArray).flat();
    const used = await app.sql.row(
      `select count(distinct invoice_id)::int as uses, count(*)::int as lines from invoice_item where discount_code_id = 'twice'`,
    );
    expect([new Set(refused), refused.length, used]).toEqual([
      new Set(['CONFLICT: input.discountCode: the discount code is used up']),
      6,
      { uses: 2, lines: 2 },
    ]);
    const [winner] = players.filter((_, index) => !Array.isArray(answers[index]));
    await withdraw(winner?.entryId ?? '', winner?.who ?? ana);
    const next = await entered();
    expect(await checkout({ registrationId: next.registrationId, discountCode: 'TWICE' }, next.who)).toEqual({
      invoice: { total: '39' },
    });
  });

  test('can be typed later, takes the place of another one, and never makes an invoice negative', async () => {
    const { who, registrationId } = await entered({ fee: '0.3' });
    await code({ id: 'ten-cents', code: 'TEN', discount: '0.1' });
    await code({ id: 'much', code: 'MUCH', discount: '1000' });
    await code({ id: 'all', code: 'ALL', coversEverything: true });
    const totals = [];
    for (const discountCode of [undefined, 'TEN', undefined, 'MUCH', 'ALL', 'TEN'])
      totals.push((await checkout({ registrationId, discountCode }, who)).invoice.total);
    const used = await app.sql.rows(
      'select distinct discount_code_id as id from invoice_item i join invoice on invoice.id = i.invoice_id where registration_id = $1 and discount_code_id is not null',
      [registrationId],
    );
    expect([totals, used]).toEqual([['0.3', '0.2', '0.2', '0', '0', '0.2'], [{ id: 'ten-cents' }]]);
  });

  test('of the tournament comes before one of all, and another tournament has none of it', async () => {
    const { who, registrationId, tournamentId } = await entered();
    const other = await entered();
    await code({ id: 'of-all', code: 'SAME', discount: '1' });
    await code({ id: 'of-this', code: 'SAME', discount: '2', moduleId: tournamentId });
    await code({ id: 'only-this', code: 'ONLY', discount: '2', moduleId: tournamentId });
    expect([
      await checkout({ registrationId, discountCode: 'SAME' }, who),
      await checkout({ registrationId: other.registrationId, discountCode: 'SAME' }, other.who),
      await checkout({ registrationId: other.registrationId, discountCode: 'ONLY' }, other.who),
    ]).toEqual([
      { invoice: { total: '38' } },
      { invoice: { total: '39' } },
      ['BAD_INPUT: input.discountCode: expected a discount code of the tournament'],
    ]);
  });

  test('that cannot be used is refused, and nothing is made', async () => {
    const { who, registrationId } = await entered();
    const useless: [string, object][] = [
      ['disabled', { disabledAt: at(-1) }],
      ['early', { startsAt: at(1) }],
      ['late', { expiresAt: at(-1) }],
      ['goods', { appliesToRegistration: false, appliesToMerchandise: true }],
      ['empty', { discount: null }],
      ['used', { issued: 0 }],
    ];
    const refusals = [];
    for (const [name, values] of useless) {
      await code({ id: name, code: name, discount: '5', ...values });
      refusals.push((await checkout({ registrationId, discountCode: name }, who))[0]);
    }
    const because = (reason: string) => `CONFLICT: input.discountCode: the discount code ${reason}`;
    expect([refusals, await app.sql.rows('select id from invoice where registration_id = $1', [registrationId])]).toEqual([
      [
        because('is disabled'),
        because('is not valid yet'),
        because('has expired'),
        because('is not for registrations'),
        because('takes nothing off'),
        because('is used up'),
      ],
      [],
    ]);
  });
});
