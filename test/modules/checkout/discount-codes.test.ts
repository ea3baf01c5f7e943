import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
const { open, register, enterPlayer, entry, withdraw, checkout, quote, save } = entriesOf(() => app);
const createCode = (values: object) => save('DiscountCode', { appliesToRegistration: true, ...values });

test('a discount code matches in any letter case, and an exact match has priority', async () => {
  const player = await app.person();
  const eventId = await open({ fee: '40' }, {});
  await register({ eventId }, player);
  const registrationId = (await entry(eventId, player))?.registration;
  await createCode({ id: 'summer', code: 'Été25', discount: '1' });
  await createCode({ id: 'plain', code: 'ete25', discount: '2' });
  await createCode({ id: 'loud', code: 'ÉTÉ25!', discount: '3' });
  await createCode({ id: 'quiet', code: 'été25!', discount: '4', disabledAt: instantAt(-1) });
  const checkoutWith = (discountCode: string) => checkout({ registrationId, discountCode }, player);
  const total = (amount: string) => ({ invoice: { total: amount } });
  expect({
    otherCase: await checkoutWith('éTé25'),
    withoutAccents: await checkoutWith('ETE25'),
    exact: await checkoutWith('ÉTÉ25!'),
    otherCaseOfTwo: await checkoutWith('Été25!'),
    decomposed: await checkoutWith('E\u0301te\u030125'),
    exactButDisabled: await checkoutWith('été25!'),
  }).toEqual({
    otherCase: total('39'),
    withoutAccents: total('38'),
    exact: total('37'),
    otherCaseOfTwo: total('37'),
    decomposed: total('39'),
    exactButDisabled: ['CONFLICT: input.discountCode: the discount code is disabled'],
  });
});

test('a user may try ten wrong discount codes an hour, and correct ones do not count', async () => {
  const player = await app.person();
  const eventId = await open({ fee: '40' });
  await register({ eventId }, player);
  const registrationId = (await entry(eventId, player))?.registration;
  await save('DiscountCode', { id: 'guessed', code: 'GUESSED', discount: '1', appliesToRegistration: true });
  const attempt = (discountCode?: string) => checkout({ registrationId, discountCode }, player);
  const acceptedCode = { invoice: { total: '39' } };
  const rejectedCode = ['BAD_INPUT: input.discountCode: expected a discount code of the tournament'];
  for (let count = 0; count < 12; count++) expect(await attempt('GUESSED')).toEqual(acceptedCode);
  for (let count = 0; count < 10; count++) expect(await attempt(`GUESS-${count}`)).toEqual(rejectedCode);
  expect({ wrong: await attempt('GUESS-10'), right: await attempt('GUESSED'), without: await attempt() }).toEqual({
    wrong: ['RATE_LIMITED: too many tries: wait before the next one'],
    right: ['RATE_LIMITED: too many tries: wait before the next one'],
    without: acceptedCode,
  });
});

test('attempts that fail for a reason other than the code do not count', async () => {
  const { player, registrationId } = await enterPlayer();
  await createCode({ id: 'uncounted', code: 'UNCOUNTED', discount: '1' });
  const attempt = (provider?: string) => checkout({ registrationId, discountCode: 'UNCOUNTED', provider }, player);
  for (let count = 0; count < 11; count++) await attempt('PROVIDER_ONE');
  expect(await attempt()).toEqual({ invoice: { total: '39' } });
});

describe('a code without a module ID', () => {
  test.each(['LEAGUE', 'CLUB', 'CLINIC'])('does not apply to tournaments if its module type is %s', async (moduleType) => {
    const { player, registrationId } = await enterPlayer();
    await createCode({ id: `of-${moduleType}`, code: `OF-${moduleType}`, moduleType, discount: '15' });
    expect(await checkout({ registrationId, discountCode: `OF-${moduleType}` }, player)).toEqual([
      'BAD_INPUT: input.discountCode: expected a discount code of the tournament',
    ]);
  });

  test.each([
    ['TOURNAMENT', { moduleType: 'TOURNAMENT' }],
    ['Tournament', { legacy: { moduleType: 'Tournament' } }],
    ['tournaments', { legacy: { moduleType: 'tournaments' } }],
    ['an empty text', { legacy: { moduleType: '' } }],
    ['null', { moduleType: null }],
  ])('applies to all tournaments if its module type is %s', async (name, values) => {
    const { player, registrationId } = await enterPlayer();
    await createCode({ id: `any-${name}`, code: `ANY-${name}`, moduleId: '', discount: '15', ...values });
    expect(await checkout({ registrationId, discountCode: `ANY-${name}` }, player)).toEqual({ invoice: { total: '25' } });
  });

  test('does not take precedence over a code of all tournaments if it is for leagues', async () => {
    const { player, registrationId } = await enterPlayer();
    await createCode({ id: 'a-league', code: 'SHARED', moduleType: 'LEAGUE', discount: '1' });
    await createCode({ id: 'b-any', code: 'SHARED', discount: '2' });
    expect(await checkout({ registrationId, discountCode: 'SHARED' }, player)).toEqual({ invoice: { total: '38' } });
  });
});

describe('a player', () => {
  test('sees the discount code on their own invoice', async () => {
    const { player, registrationId } = await enterPlayer();
    await createCode({ id: 'seen', code: 'SEEN', discount: '15' });
    const fields = 'invoice { items(orderBy: [{ field: CREATED_AT }]) { nodes { type discountCode { code } } } }';
    const answer = await checkout({ registrationId, discountCode: 'SEEN' }, player, fields);
    const { discountCode } = await app.graphql('{ discountCode(id: "seen") { code discount } }', {}, { user: player.user });
    expect({ answer, discountCode }).toEqual({
      answer: {
        invoice: {
          items: {
            nodes: [
              { type: 'EVENT', discountCode: null },
              { type: 'DISCOUNT', discountCode: { code: 'SEEN' } },
            ],
          },
        },
      },
      discountCode: { code: 'SEEN', discount: '15' },
    });
  });

  test('sees neither other discount codes nor the list of discount codes', async () => {
    const [ana, bo] = [await enterPlayer(), await enterPlayer()];
    await createCode({ id: 'of-ana', code: 'OF-ANA', discount: '15', moduleId: ana.tournamentId });
    await createCode({ id: 'of-bo', code: 'OF-BO', discount: '15', moduleId: ana.tournamentId });
    await checkout({ registrationId: ana.registrationId, discountCode: 'OF-ANA' }, ana.player);
    const read = (query: string, { player }: typeof ana) => app.graphql(query, {}, { user: player.user });
    const ofTournament = `{ tournament(id: "${ana.tournamentId}") { discountCodes { nodes { code } } } }`;
    const filter = 'invoiceItems(filter: { discountCode: { code: { eq: "OF-ANA" } } }) { totalCount }';
    expect({
      unused: await read('{ discountCode(id: "of-bo") { code } }', ana),
      onInvoiceOfAnother: await read('{ discountCode(id: "of-ana") { code } }', bo),
      list: await read('{ discountCodes { nodes { code } } }', ana),
      listOfTournament: await read(ofTournament, ana),
      listFilter: await read(
        '{ tournaments(filter: { discountCodes: { some: { code: { eq: "OF-BO" } } } }) { totalCount } }',
        ana,
      ),
      filter: await read(`{ ${filter} }`, ana),
      filterOfAnother: await read(`{ ${filter} }`, bo),
    }).toEqual({
      unused: { discountCode: null },
      onInvoiceOfAnother: { discountCode: null },
      list: { errors: ['FORBIDDEN: Not allowed: requires a platform token, or a user token with the role ADMIN'] },
      listOfTournament: {
        data: { tournament: { discountCodes: null } },
        errors: ['FORBIDDEN: Not allowed: requires a platform token, or a user token with the role ADMIN'],
      },
      listFilter: {
        errors: ['FORBIDDEN: filter.discountCodes: Not allowed: requires a platform token, or a user token with the role ADMIN'],
      },
      filter: { invoiceItems: { totalCount: 1 } },
      filterOfAnother: { invoiceItems: { totalCount: 0 } },
    });
  });

  test.each([
    ['null', null],
    ['an empty text', ''],
  ])('removes the discount code by %s, so that it can be used again', async (_, discountCode) => {
    const [first, second] = [await enterPlayer(), await enterPlayer()];
    const code = `ONE-${first.registrationId}`;
    await createCode({ id: code, code, discount: '15', issued: 1 });
    const total = async ({ registrationId, player }: typeof first, input: object) =>
      (await checkout({ registrationId, ...input }, player)).invoice.total;
    expect({
      withCode: await total(first, { discountCode: code }),
      withoutField: await total(first, {}),
      removed: await total(first, { discountCode }),
      staysRemoved: await total(first, {}),
      usedByAnother: await total(second, { discountCode: code }),
    }).toEqual({ withCode: '25', withoutField: '25', removed: '40', staysRemoved: '40', usedByAnother: '25' });
  });
});

test('checkout without the earlier code returns the IDs of the deleted discount items', async () => {
  const { player, registrationId } = await enterPlayer();
  const code = `DELETED-${registrationId}`;
  await createCode({ id: code, code, discount: '15' });
  const fields = 'deletedInvoiceItemIds invoice { items { nodes { id type } } }';
  const withCode = await checkout({ registrationId, discountCode: code }, player, fields);
  const removed = await checkout({ registrationId, discountCode: null }, player, fields);
  const discountIds = withCode.invoice.items.nodes.flatMap((item: { id: string; type: string }) =>
    item.type === 'DISCOUNT' ? [item.id] : [],
  );
  expect({ count: discountIds.length, before: withCode.deletedInvoiceItemIds, removed: removed.deletedInvoiceItemIds }).toEqual({
    count: 1,
    before: [],
    removed: discountIds,
  });
});

describe('the items of a discount', () => {
  const discountItems = (registrationId: string) =>
    app.sql.rows<{ id: string; price: string; code: string; updated: string }>(
      `select i.id, i.unit_price::text as price, i.discount_code_id as code, i.updated_at::text as updated
        from invoice_item i join invoice v on v.id = i.invoice_id
        where v.registration_id = $1 and i.discount_code_id is not null order by i.created_at, i.id`,
      [registrationId],
    );

  test('do not change when a checkout is repeated', async () => {
    const { player, registrationId } = await enterPlayer({ fee: '40' }, { registrationFee: '10' });
    await createCode({ id: 'same-items', code: 'SAME-ITEMS', discount: '15' });
    await checkout({ registrationId, discountCode: 'SAME-ITEMS' }, player);
    const first = await discountItems(registrationId);
    await checkout({ registrationId, discountCode: 'SAME-ITEMS' }, player);
    await checkout({ registrationId }, player);
    expect({ count: first.length, items: await discountItems(registrationId) }).toEqual({ count: 2, items: first });
  });

  test('keep their IDs when the discount changes', async () => {
    const { player, registrationId, tournamentId } = await enterPlayer({ fee: '40' }, { registrationFee: '10' });
    await createCode({ id: 'first-code', code: 'FIRST-CODE', discount: '15' });
    await createCode({ id: 'second-code', code: 'SECOND-CODE', discount: '60' });
    await checkout({ registrationId, discountCode: 'FIRST-CODE' }, player);
    const [ofRegistration, ofEvent] = await discountItems(registrationId);
    await save('TournamentEvent', { id: `kept-${tournamentId}`, tournamentId, fee: '20' });
    await register({ eventId: `kept-${tournamentId}` }, player);
    await checkout({ registrationId, discountCode: 'SECOND-CODE' }, player);
    const code = 'second-code';
    expect((await discountItems(registrationId)).map(({ updated, ...item }) => item)).toEqual([
      { id: ofRegistration?.id, price: '-10', code },
      { id: ofEvent?.id, price: '-40', code },
      { id: expect.any(String), price: '-10', code },
    ]);
  });

  test('keep their IDs when another event is withdrawn', async () => {
    const { player, registrationId, tournamentId, entryId } = await enterPlayer({ fee: '40' }, { registrationFee: '10' });
    await createCode({ id: 'stays-on', code: 'STAYS-ON', discount: '55' });
    await save('TournamentEvent', { id: `stays-${tournamentId}`, tournamentId, fee: '20' });
    await register({ eventId: `stays-${tournamentId}` }, player);
    await checkout({ registrationId, discountCode: 'STAYS-ON' }, player);
    const [ofRegistration, , ofSecondEvent] = await discountItems(registrationId);
    await withdraw(entryId, player);
    expect((await discountItems(registrationId)).map(({ id, price }) => ({ id, price }))).toEqual([
      { id: ofRegistration?.id, price: '-10' },
      { id: ofSecondEvent?.id, price: '-20' },
    ]);
  });
});

describe.each([
  ['disabled', { disabledAt: instantAt(-1) }],
  ['expired', { expiresAt: instantAt(-1) }],
])('a code that covers everything and is %s after a checkout', (state, change) => {
  test('keeps its discount on the invoice, and new entries get no discount', async () => {
    const { player, registrationId, tournamentId, entryId } = await enterPlayer({ fee: '40' }, { registrationFee: '10' });
    const code = `free-until-${state}`;
    await createCode({ id: code, code, coversEverything: true });
    const addEvent = (id: string) => save('TournamentEvent', { id: `${id}-${state}`, tournamentId, fee: '20' });
    const [newEventId, nextEventId] = [await addEvent('new'), await addEvent('next')];
    const fields = 'deletedInvoiceItemIds invoice { total }';
    const atFirst = await checkout({ registrationId, discountCode: code }, player, fields);
    await createCode({ id: code, ...change });
    const unchanged = await checkout({ registrationId }, player, fields);
    await register({ eventId: newEventId }, player);
    const quoted = await quote({ events: [{ eventId: nextEventId }] }, player, 'total items { type unitPrice code }');
    const withNewEntry = await checkout({ registrationId }, player, fields);
    const entered = await checkout({ registrationId, discountCode: code }, player);
    await withdraw(entryId, player);
    const afterWithdrawal = await checkout({ registrationId }, player);
    const total = (amount: string) => ({ deletedInvoiceItemIds: [], invoice: { total: amount } });
    expect({ atFirst, unchanged, quoted, withNewEntry, entered, afterWithdrawal }).toEqual({
      atFirst: total('0'),
      unchanged: total('0'),
      quoted: {
        total: '40',
        items: [
          { type: 'REGISTRATION', unitPrice: '10', code: null },
          { type: 'EVENT', unitPrice: '40', code: null },
          { type: 'EVENT', unitPrice: '20', code: null },
          { type: 'EVENT', unitPrice: '20', code: null },
          { type: 'DISCOUNT', unitPrice: '-10', code },
          { type: 'DISCOUNT', unitPrice: '-40', code },
        ],
      },
      withNewEntry: total('20'),
      entered: [`CONFLICT: input.discountCode: the discount code ${state === 'expired' ? 'has expired' : 'is disabled'}`],
      afterWithdrawal: { invoice: { total: '20' } },
    });
  });
});
