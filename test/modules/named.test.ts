import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

test.each([
  ['United States', 'TX', 'US', 'Texas'],
  ['usa', 'texas', 'US', 'Texas'],
  ['AU', 'WA', 'AU', 'Western Australia'],
  ['', 'Texas', null, 'Texas'],
  ['', 'WA', null, null],
  ['Narnia', 'US-TX', null, 'Texas'],
  ['CA', 'Texas', 'CA', null],
])('a place in %s and %s leads to %s and %s', async (country, state, alpha2, title) => {
  const { upsertTournament } = await app.graphql(
    `mutation ($location: PlaceInput!) { upsertTournament(input: { id: "placed", location: $location }) {
      location { countryRaw country { alpha2 } state { title country { id } } } } }`,
    { location: { countryRaw: country, stateRaw: state } },
  );
  const { location } = upsertTournament;
  expect([location.countryRaw, location.country?.alpha2 ?? null, location.state?.title ?? null]).toEqual([
    country,
    alpha2,
    title,
  ]);
});

test('codes and names lead to what they name, whoever asks, and to nothing where nothing is called so', async () => {
  await app.rest('POST', '/v1/tournaments/tourney_flat_data', app.platform, {
    payload: {
      TournamentID: 'named',
      PaymentCurrencyAbbreviation: 'cad',
      ianaTzIdentifier: 'america/chicago',
      Platform: 'Test Platform',
    },
  });
  await app.rest('POST', '/v1/tournaments/tourney_flat_data', app.platform, {
    payload: {
      TournamentID: 'nameless',
      PaymentCurrencyAbbreviation: 'XYZ',
      ianaTzIdentifier: 'Mars/Olympus',
      Platform: 'Nobody',
    },
  });
  const fields = 'currency { abbreviation title } timeZone { ianaName } platform { id }';
  expect(
    await app.graphql(`{ named: tournament(id: "named") { ${fields} } nameless: tournament(id: "nameless") { ${fields} } }`),
  ).toEqual({
    named: {
      currency: { abbreviation: 'CAD', title: 'Canadian Dollar' },
      timeZone: { ianaName: 'America/Chicago' },
      platform: { id: 'test-platform' },
    },
    nameless: { currency: null, timeZone: null, platform: null },
  });
});

test('numbers of lookups lead to them, and the platforms of many tournaments take one statement', async () => {
  const upsert =
    'mutation { upsertEventRegistration(input: { playerGroupNumber: 3, formatNumber: 99 }) { playerGroup { title } format { title } } }';
  expect(await app.graphql(upsert)).toEqual({ upsertEventRegistration: { playerGroup: { title: 'Mixed' }, format: null } });
  const cost = async (first: number) => {
    const before = app.statements();
    await app.graphql(`{ tournaments(first: ${first}) { nodes { platform { title } currency { title } } } }`);
    return app.statements() - before;
  };
  // The first one fills the memory.
  await cost(3);
  expect([await cost(1), await cost(3)]).toEqual([2, 2]);
});
