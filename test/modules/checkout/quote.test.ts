import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const { open, register, registerTeams, enterPlayer, entry, checkout, quote, save } = entriesOf(() => app);
const createCode = (values: object) => save('DiscountCode', { appliesToRegistration: true, ...values });

let count = 0;
/** Creates a tournament with the given events and open registration. Returns the IDs of the events. */
async function openEvents(events: readonly object[], tournament: object = {}): Promise<string[]> {
  count += 1;
  const tournamentId = `quoted-${count}`;
  const ids: string[] = [];
  await open({ id: `${tournamentId}-other`, tournamentId }, { id: tournamentId, ...tournament });
  for (const [index, event] of events.entries())
    ids.push(await save('TournamentEvent', { id: `${tournamentId}-${index}`, tournamentId, title: 'Doubles', ...event }));
  return ids;
}
const eventsOf = (eventIds: readonly string[]) => ({ events: eventIds.map((eventId) => ({ eventId })) });

/**
 * Returns the number of rows in each table, including the change log. Excludes the counters of rate limits and usage, because the service
 * writes them at any time.
 */
async function rowCounts(): Promise<object> {
  const rows = await app.sql.rows<{ name: string; count: string }>(
    `select table_name as name, (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', table_name), false, true, '')))[1]::text as count
      from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('rate_limit', 'route_usage', 'usage_sender')`,
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.count]));
}

const itemFields = 'type title unitPrice units event { id }';
const invoiceFields = `invoice { total items(orderBy: [{ field: CREATED_AT }]) { nodes { ${itemFields} discountCode { code } } } } methods`;
const quoteFields = `total currency { abbreviation } items { ${itemFields} code } methods`;

/** Checks out and returns the result in the format of a quote, so that both can be compared. */
async function checkoutAsQuote(input: object, player: Person) {
  const { invoice, methods } = await checkout(input, player, invoiceFields);
  type Item = { discountCode: { code: string } | null };
  const nodes: Item[] = invoice.items.nodes;
  const inOrder = [...nodes.filter((item) => !item.discountCode), ...nodes.filter((item) => item.discountCode)];
  const items = inOrder.map(({ discountCode, ...item }) => ({ ...item, code: discountCode?.code ?? null }));
  return { total: invoice.total, currency: { abbreviation: 'USD' }, items, methods };
}

describe('a quote', () => {
  test('has the same items and total as the checkout after the registration', async () => {
    const [player, partner] = [await app.person(), await app.person()];
    const [singles = '', doubles = ''] = await openEvents([{ fee: '20' }, { fee: '30.5', formatId: '3' }], {
      registrationFee: '10',
    });
    await save('PaymentSetup', { moduleId: `quoted-${count}`, acceptsOnsite: true });
    await createCode({ id: 'quoted', code: 'QUOTED', title: 'Early', discount: '25' });
    const events = [{ eventId: singles }, { eventId: doubles, partnerId: partner.id }];
    const quoted = await quote({ events, discountCode: 'quoted' }, player, quoteFields);
    await registerTeams({ events }, player);
    const registrationId = (await entry(singles, player))?.registration;
    expect({ quoted, total: quoted.total }).toEqual({
      quoted: await checkoutAsQuote({ registrationId, discountCode: 'quoted' }, player),
      total: '35.5',
    });
  });

  test('includes the open invoice with its code, and entries that are not invoiced yet', async () => {
    const player = await app.person();
    const [invoiced = '', entered = '', next = ''] = await openEvents([{ fee: '20' }, { fee: '30' }, { fee: '40' }], {
      registrationFee: '10',
    });
    await createCode({ id: 'kept-code', code: 'KEPT-CODE', discount: '65' });
    await register({ eventId: invoiced }, player);
    const registrationId = (await entry(invoiced, player))?.registration;
    await checkout({ registrationId, discountCode: 'KEPT-CODE' }, player);
    await register({ eventId: entered }, player);
    const [withCode, withoutCode] = [
      await quote(eventsOf([next]), player, quoteFields),
      await quote({ ...eventsOf([next]), discountCode: null }, player),
    ];
    await register({ eventId: next }, player);
    expect({ withCode, withoutCode }).toEqual({
      withCode: await checkoutAsQuote({ registrationId }, player),
      withoutCode: { total: '100' },
    });
  });

  test('contains only new items if the invoice is paid', async () => {
    const { player, registrationId, tournamentId } = await enterPlayer({ fee: '40' }, { registrationFee: '10' });
    const { invoice } = await checkout({ registrationId }, player, 'invoice { id }');
    await save('Payment', { invoiceId: invoice.id, amount: '50' });
    const eventId = await save('TournamentEvent', { id: `next-${tournamentId}`, tournamentId, fee: '5' });
    expect(await quote(eventsOf([eventId]), player)).toEqual({ total: '5' });
  });

  test('writes nothing, and reserves neither a place nor a use of the discount code', async () => {
    const [player, partner, other] = [await app.person(), await app.person(), await app.person()];
    const [eventId = ''] = await openEvents([{ fee: '20', formatId: '3', maxTeams: 1 }]);
    await createCode({ id: 'unused', code: 'UNUSED', discount: '5', issued: 1 });
    const input = { events: [{ eventId, partnerId: partner.id }], discountCode: 'UNUSED' };
    const before = await rowCounts();
    const quotes = [await quote(input, player), await quote(input, player), await quote(input, other)];
    const invited = await quote({ events: [{ eventId, partnerEmail: 'new@example.com' }] }, player);
    expect({ quotes, invited, rows: await rowCounts() }).toEqual({
      quotes: [{ total: '15' }, { total: '15' }, { total: '15' }],
      invited: { total: '20' },
      rows: before,
    });
  });

  test('does not wait for a registration that is not committed', async () => {
    const player = await app.person();
    const [eventId = ''] = await openEvents([{ fee: '20' }]);
    const answer = await app.sql.transaction(async () => {
      await app.sql.rows('select id from tournament_event where id = $1 for update', [eventId]);
      return quote(eventsOf([eventId]), player);
    });
    expect(answer).toEqual({ total: '20' });
  });

  test('takes as many statements for several events as for one', async () => {
    const player = await app.person();
    const events = await openEvents([{ maxTeams: 4 }, { maxTeams: 4 }, { maxTeams: 4 }]);
    await quote(eventsOf(events), player);
    const statementsFor = async (eventIds: readonly string[]) => {
      const before = app.statements();
      await quote(eventsOf(eventIds), player);
      return app.statements() - before;
    };
    expect(await statementsFor(events)).toBe(await statementsFor(events.slice(0, 1)));
  });

  test('may be requested several times in one query, and an error in one does not affect the others', async () => {
    const player = await app.person();
    const [first = '', second = ''] = await openEvents([{ fee: '20' }, { fee: '30', isCanceled: true }]);
    const field = (eventId: string) => `quote(input: { events: [{ eventId: "${eventId}" }] }) { total items { event { id } } }`;
    const query = `{ a: ${field(first)} b: ${field(second)} c: ${field(first)} event(id: "${first}") { fee } }`;
    const quoted = { total: '20', items: [{ event: { id: first } }] };
    expect(await app.graphql(query, {}, { user: player.user })).toEqual({
      data: { a: quoted, b: null, c: quoted, event: { fee: '20' } },
      errors: ['CONFLICT: input.events[0]: the event is canceled'],
    });
  });

  test('is for signed-in users only', async () => {
    const query = '{ quote(input: { events: [{ eventId: "x" }] }) { total } }';
    const errorsFor = async (tokens: object) =>
      (await app.rest('POST', '/graphql', tokens, { query })).body.errors[0].extensions.code;
    expect({ platform: await errorsFor(app.platform), nobody: await errorsFor({}) }).toEqual({
      platform: 'UNAUTHENTICATED',
      nobody: 'UNAUTHENTICATED',
    });
  });
});

describe('a quote has the errors of the registration', () => {
  test.each<[name: string, event: object, tournament: object, error: string]>([
    ['for a full event', { maxTeams: 1 }, {}, 'CONFLICT: input.events[0]: the event is full'],
    ['for a canceled event', { isCanceled: true }, {}, 'CONFLICT: input.events[0]: the event is canceled'],
    [
      'before registration opens',
      {},
      { registrationOpensAt: instantAt(1) },
      'CONFLICT: input.events[0]: registration has not opened yet',
    ],
    [
      'after registration closed',
      {},
      { registrationClosesAt: instantAt(-1) },
      'CONFLICT: input.events[0]: registration is closed',
    ],
    [
      'without a partner',
      { formatId: '3' },
      {},
      'BAD_INPUT: input.events[0].partnerId: expected the id of the partner, because the event is played in pairs',
    ],
    [
      'for a player who is not eligible',
      { playerGroupId: '7' },
      {},
      'BAD_INPUT: input.events[0].eventId: expected an event that the player is eligible for: this event is for men, and the profile has no category of play',
    ],
  ])('%s', async (_, event, tournament, error) => {
    const player = await app.person();
    const [eventId = ''] = await openEvents([event], tournament);
    if (error.includes('full')) await register({ eventId }, await app.person());
    const input = eventsOf([eventId]);
    expect({ quoted: await quote(input, player), registered: await registerTeams(input, player) }).toEqual({
      quoted: [error],
      registered: [error],
    });
  });

  test('for a player or partner who is in the event', async () => {
    const [player, partner, other] = [await app.person(), await app.person(), await app.person()];
    const [eventId = ''] = await openEvents([{ formatId: '3' }]);
    await register({ eventId, partnerId: partner.id }, player);
    expect({
      ofPlayer: await quote({ events: [{ eventId, partnerId: other.id }] }, player),
      ofPartner: await quote({ events: [{ eventId, partnerId: partner.id }] }, other),
      unknown: await quote(eventsOf(['nowhere']), other),
      none: await quote(eventsOf([]), other),
    }).toEqual({
      ofPlayer: ['CONFLICT: input.events[0]: you are already in this event'],
      ofPartner: ['CONFLICT: input.events[0]: the partner is already in this event'],
      unknown: ['NOT_FOUND: input.events[0]: no event with the id nowhere'],
      none: ['BAD_INPUT: input.events: expected 1 to 20 events'],
    });
  });
});

describe('a discount code in a quote', () => {
  test.each([
    ['is disabled', { disabledAt: instantAt(-1) }],
    ['is not valid yet', { startsAt: instantAt(1) }],
    ['has expired', { expiresAt: instantAt(-1) }],
    ['is used up', { issued: 0 }],
  ])('that %s is rejected', async (reason, values) => {
    const player = await app.person();
    const id = `q-${reason}`;
    await createCode({ id, code: id, discount: '5', ...values });
    const input = eventsOf(await openEvents([{ fee: '20' }]));
    expect(await quote({ ...input, discountCode: id }, player)).toEqual([
      `CONFLICT: input.discountCode: the discount code ${reason}`,
    ]);
  });

  test('counts against the limit of wrong codes if it is rejected, together with checkouts', async () => {
    const { player, registrationId, tournamentId } = await enterPlayer();
    await createCode({ id: 'right', code: 'RIGHT', discount: '5' });
    const eventId = await save('TournamentEvent', { id: `guess-${tournamentId}`, tournamentId, fee: '20' });
    const canceledId = await save('TournamentEvent', { id: `off-${tournamentId}`, tournamentId, isCanceled: true });
    const quoteWith = (discountCode?: string, id = eventId) => quote({ ...eventsOf([id]), discountCode }, player);
    for (let attempt = 0; attempt < 11; attempt++) await quoteWith('RIGHT', canceledId);
    for (let attempt = 0; attempt < 5; attempt++) await quoteWith(`WRONG-${attempt}`);
    for (let attempt = 5; attempt < 10; attempt++) await checkout({ registrationId, discountCode: `WRONG-${attempt}` }, player);
    expect({ wrong: await quoteWith('WRONG-10'), right: await quoteWith('RIGHT'), without: await quoteWith() }).toEqual({
      wrong: ['RATE_LIMITED: too many tries: wait before the next one'],
      right: ['RATE_LIMITED: too many tries: wait before the next one'],
      without: { total: '60' },
    });
  });
});
