import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../support/checks/statement-counter.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  for (const id of ['first', 'second', 'third'])
    await save(
      {
        id,
        currency: 'usd',
        timeZone: 'US/Central',
        location: { state: 'tx', country: 'USA' },
        legacy: { format: 'Ladder' },
      },
      'id',
    );
  for (const id of ['event-1', 'event-2'])
    await app.graphql(
      `mutation { upsertEvent(input: { id: "${id}", tournamentId: "${id === 'event-1' ? 'first' : 'second'}" }) { id } }`,
    );
});
afterAll(() => app.close());

const names = 'legacy { currency timeZone } location { legacy { state country } }';
const save = async (input: object, fields = names) => {
  const { errors, upsertTournament } = await app.graphql(
    `mutation ($input: TournamentInput!) { upsertTournament(input: $input) { ${fields} } }`,
    { input },
  );
  return errors ?? upsertTournament;
};

describe('the object `legacy`', () => {
  test('returns the stored values, even with an alias, a fragment or @include', async () => {
    const { tournament } = await app.graphql(
      `query ($yes: Boolean = true, $no: Boolean = false) { tournament(id: "first") {
        format stored: legacy { code: format } ...Names legacy @include(if: $yes) { currency platform @skip(if: $yes) }
        location { legacy @include(if: $no) { country } } } }
      fragment Names on Tournament { legacy { timeZone __typename } location { ... on Place { legacy { state } } } }`,
    );
    expect(tournament).toEqual({
      format: 'OTHER',
      stored: { code: 'Ladder' },
      legacy: { timeZone: 'US/Central', __typename: 'TournamentLegacy', currency: 'usd' },
      location: { legacy: { state: 'tx' } },
    });
  });

  test('is read in the same statement as its record', async () => {
    const statements = (query: string) => statementsOf(app, () => app.graphql(query));
    expect({
      list: await statements(`{ tournaments(first: 3) { nodes { ${names} } } }`),
      one: await statements(`{ tournament(id: "first") { ${names} } }`),
      valuesOfRelatedRecords: await statements('{ events(first: 2) { nodes { legacy { currency } } } }'),
    }).toEqual({ list: 1, one: 1, valuesOfRelatedRecords: 2 });
  });
});

describe('an input', () => {
  const stored = (currency: string | null, timeZone: string | null, state: string | null) => ({
    legacy: { currency, timeZone },
    location: { legacy: { state, country: null } },
  });

  test('takes the name of a record in the relation field or in `legacy`', async () => {
    expect({
      byField: await save({ id: 'named', currency: 'CAD', timeZone: 'America/Chicago', location: { state: 'TX' } }),
      inLegacy: await save({
        id: 'named',
        legacy: { currency: 'EUR', timeZone: 'Europe/Berlin' },
        location: { legacy: { state: 'BE' } },
      }),
      nothing: await save({ id: 'named', legacy: null, location: { legacy: {} } }),
      cleared: await save({ id: 'named', currency: null, legacy: { timeZone: null } }),
    }).toEqual({
      byField: stored('CAD', 'America/Chicago', 'TX'),
      inLegacy: stored('EUR', 'Europe/Berlin', 'BE'),
      nothing: stored('EUR', 'Europe/Berlin', 'BE'),
      cleared: stored(null, null, 'BE'),
    });
  });

  test('with a field and its value in `legacy` is rejected, with both paths', async () => {
    const both = { currency: 'CAD', legacy: { currency: 'EUR' }, location: { state: 'TX', legacy: { state: 'BE' } } };
    const [message] = await save({ id: 'both', ...both });
    expect(message).toBe(
      'BAD_INPUT: input.location.legacy.state: expected no value together with input.location.state; input.legacy.currency: expected no value together with input.currency',
    );
  });

  test('of a game with an unknown time zone is rejected', async () => {
    const { user } = await app.person();
    const schedule = async (values: string) =>
      await app.graphql(
        `mutation { scheduleGame(input: { startsAt: "2041-06-02T14:30:00Z", ${values} }) { timeZone { ianaName } } }`,
        {},
        { user },
      );
    const rejection = (field: string) => ({
      scheduleGame: null,
      errors: [`BAD_INPUT: ${field}: expected the IANA name of a time zone, such as America/Chicago`],
    });
    expect({
      known: await schedule('timeZone: "America/Chicago"'),
      unknown: await schedule('timeZone: "Atlantis"'),
      unknownInLegacy: await schedule('legacy: { timeZone: "Atlantis" }'),
    }).toMatchObject({
      known: { scheduleGame: { timeZone: { ianaName: 'America/Chicago' } } },
      unknown: { errors: rejection('input.timeZone').errors },
      unknownInLegacy: { errors: rejection('input.legacy.timeZone').errors },
    });
  });
});

test('a filter combines stored values with other conditions', async () => {
  const ids = async (filter: string) =>
    (await app.graphql(`{ tournaments(filter: ${filter}, orderBy: [{ field: ID }]) { nodes { id } } }`)).tournaments?.nodes.map(
      ({ id }: { id: string }) => id,
    );
  expect({
    stored: await ids('{ legacy: { format: { eq: "Ladder" } }, id: { ne: "second" } }'),
    negated: await ids('{ not: { legacy: { format: { eq: "Ladder" } } }, id: { in: ["first", "named"] } }'),
    byName: await ids('{ currency: { in: ["usd"] }, locationState: { startsWith: "T" } }'),
    nothing: await ids('{ legacy: {}, id: { eq: "first" } }'),
  }).toEqual({
    stored: ['first', 'third'],
    negated: ['named'],
    byName: ['first', 'second', 'third'],
    nothing: ['first'],
  });
});

test('an invalid operator on a stored value is reported with its path', async () => {
  const { errors } = await app.graphql('{ tournaments(filter: { legacy: { format: { eq: null } } }) { totalCount } }');
  expect(errors).toEqual(['BAD_INPUT: filter.legacy.format.eq: expected a value (use isNull to match unset values)']);
});

test('a CSV file contains the stored values by default', async () => {
  const response = await fetch(`${app.origin}/exports/tournaments.csv?first=1`, {
    headers: { 'PB-API-TOKEN': app.platform.platform ?? '' },
  });
  const [columns = ''] = (await response.text()).split('\r\n');
  expect(columns.split(',')).toEqual(
    expect.arrayContaining(['legacy.currency', 'location.legacy.state', 'scoreCard.legacy.minutesToNextMatch']),
  );
});
