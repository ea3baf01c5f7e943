import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let player: Person;
beforeAll(async () => {
  app = await startApp();
  player = await app.person();
});
afterAll(() => app.close());

test('an event has the currency of its tournament', async () => {
  const { errors } = await app.graphql(`mutation {
    a: upsertTournament(input: { id: "mexico", currency: "MXN" }) { id }
    b: upsertTournament(input: { id: "unset" }) { id }
    c: upsertEvent(input: { id: "paid", tournamentId: "mexico", fee: "250" }) { id }
    d: upsertEvent(input: { id: "free", tournamentId: "unset" }) { id }
  }`);
  const fields = 'fee legacy { currency } currency { title }';
  expect(await app.graphql(`{ paid: event(id: "paid") { ${fields} } free: event(id: "free") { ${fields} } }`)).toEqual({
    paid: { fee: '250', legacy: { currency: 'MXN' }, currency: { title: 'Mexican Peso' } },
    free: { fee: null, legacy: { currency: null }, currency: null },
  });
  expect(errors).toBeUndefined();
});

test('a league has a currency', async () => {
  const { createLeague } = await app.graphql(
    'mutation { createLeague(input: { title: "Ladder", memberFee: "10", currency: "CAD" }) { memberFee legacy { currency } currency { title } } }',
  );
  expect(createLeague).toEqual({ memberFee: '10', legacy: { currency: 'CAD' }, currency: { title: 'Canadian Dollar' } });
});

test('a league reports whether the viewer is registered, from the invoices of the viewer', async () => {
  await app.graphql(`mutation {
    a: upsertLeague(input: { id: "mine", title: "Mine" }) { id }
    b: upsertLeague(input: { id: "others", title: "Others" }) { id }
    c: createInvoice(input: { userId: "${player.id}", moduleId: "mine", moduleType: LEAGUE }) { id }
    d: createInvoice(input: { userId: "someone", moduleId: "others", moduleType: LEAGUE }) { id }
  }`);
  const read = async (tokens?: object) => {
    const query = '{ mine: league(id: "mine") { isViewerRegistered } others: league(id: "others") { isViewerRegistered } }';
    const { mine, others } = await app.graphql(query, {}, tokens);
    return { mine: mine.isViewerRegistered, others: others.isViewerRegistered };
  };
  expect({ player: await read({ user: player.user }), platform: await read() }).toEqual({
    player: { mine: true, others: false },
    platform: { mine: false, others: false },
  });
});
