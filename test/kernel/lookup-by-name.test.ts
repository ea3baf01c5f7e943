import { afterAll, beforeAll, expect, test } from 'vitest';
import { statementsOf } from '../support/checks/statement-counter.js';
import { startApp, type TestApp } from '../support/servers/app.js';

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
])('the location "%s", "%s" resolves to country %s and state %s', async (country, state, alpha2, title) => {
  const { upsertTournament } = await app.graphql(
    `mutation ($location: PlaceInput!) { upsertTournament(input: { id: "placed", location: $location }) {
      location { legacy { country } country { alpha2 } state { title country { id } } } } }`,
    { location: { legacy: { country, state } } },
  );
  const { location } = upsertTournament;
  expect({
    stored: location.legacy.country,
    alpha2: location.country?.alpha2 ?? null,
    stateTitle: location.state?.title ?? null,
  }).toEqual({ stored: country, alpha2, stateTitle: title });
});

test('currency codes, time zone names and platform titles resolve to records in any case, or to null', async () => {
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

test('IDs that are stored as numbers resolve to the record, or to null', async () => {
  const upsert =
    'mutation { upsertEventRegistration(input: { playerGroupId: "3", legacy: { formatId: 99 } }) { playerGroup { title } format { title } } }';
  expect(await app.graphql(upsert)).toEqual({ upsertEventRegistration: { playerGroup: { title: 'Mixed' }, format: null } });
});

test('platforms and currencies of a list of tournaments take one statement', async () => {
  for (const id of ['first', 'second', 'third'])
    await app.graphql(`mutation { upsertTournament(input: { id: "${id}", platform: "Test Platform" }) { id } }`);
  const filter = '{ platform: { eq: "Test Platform" } }';
  const statements = (first: number) =>
    statementsOf(app, () =>
      app.graphql(`{ tournaments(first: ${first}, filter: ${filter}) { nodes { platform { title } currency { title } } } }`),
    );
  expect({ oneTournament: await statements(1), threeTournaments: await statements(3) }).toEqual({
    oneTournament: 2,
    threeTournaments: 2,
  });
});
