import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  const locations = {
    texas: ['US', 'TX'],
    texasByCode: ['United States', 'us-tx'],
    texasByTitle: ['USA', 'Texas'],
    texasWithoutCountry: [null, 'texas'],
    washington: ['US', 'WA'],
    perth: ['AU', 'WA'],
    perthByTitle: ['Australia', 'Western Australia'],
    washingtonOrPerth: [null, 'WA'],
    unknown: ['Narnia', 'Lantern Waste'],
    unset: [null, null],
  };
  for (const [id, [country, state]] of Object.entries(locations)) {
    const values = [id, country, state];
    await app.sql.rows('insert into club (id, title, location_country, location_state) values ($1, $1, $2, $3)', values);
    await app.sql.rows('insert into league (id, title, club_id, currency) values ($1, $1, $1, $2)', [
      id,
      { texas: 'USD', texasByCode: 'usd', perth: 'AUD' }[id],
    ]);
  }
});
afterAll(() => app.close());

const idsOf = async (list: string, filter: string): Promise<string[]> => {
  const answer = await app.graphql(`{ ${list}(filter: ${filter}) { totalCount nodes { id } } }`);
  if (answer.errors) return answer.errors;
  const ids: string[] = answer[list].nodes.map(({ id }: { id: string }) => id).toSorted();
  expect(answer[list].totalCount).toBe(ids.length);
  return ids;
};
const clubs = (filter: string) => idsOf('clubs', filter);

const americans = ['texas', 'texasByCode', 'texasByTitle', 'washington'];
const texans = ['texas', 'texasByCode', 'texasByTitle', 'texasWithoutCountry'];

test.each(['US', 'USA', 'usa', 'United States', 'united states'])(
  'a filter by the country %s matches all of its names',
  async (name) => {
    expect({
      eq: await clubs(`{ locationCountry: { eq: "${name}" } }`),
      in: await clubs(`{ locationCountry: { in: ["${name}"] } }`),
      ne: await clubs(`{ locationCountry: { ne: "${name}" }, id: { in: ["texas", "texasByTitle", "perth", "unset"] } }`),
    }).toEqual({ eq: americans, in: americans, ne: ['perth', 'unset'] });
  },
);

test.each(['TX', 'tx', 'US-TX', 'Texas'])('a filter by the state %s matches all of its names', async (name) => {
  expect({
    eq: await clubs(`{ locationState: { eq: "${name}" } }`),
    ne: await clubs(`{ locationState: { ne: "${name}" }, locationCountry: { eq: "US" } }`),
    related: await idsOf('leagues', `{ club: { locationState: { in: ["${name}"] } } }`),
    combined: await clubs(`{ or: [{ locationState: { eq: "${name}" } }, { not: { locationCountry: { isNull: false } } }] }`),
  }).toEqual({
    eq: texans,
    ne: ['washington'],
    related: texans,
    combined: [...texans, 'unset', 'washingtonOrPerth'],
  });
});

test('a state name that several countries use matches states by their country', async () => {
  expect({
    byTitle: await clubs('{ locationState: { eq: "Washington" } }'),
    byOtherTitle: await clubs('{ locationState: { eq: "Western Australia" } }'),
    byCode: await clubs('{ locationState: { eq: "US-WA" } }'),
    byAbbreviation: await clubs('{ locationState: { eq: "WA" } }'),
    withCountry: await clubs('{ locationState: { eq: "WA" }, locationCountry: { eq: "AUS" } }'),
    otherThan: await clubs('{ locationState: { ne: "Washington" }, id: { in: ["washington", "perth", "unset"] } }'),
  }).toEqual({
    byTitle: ['washington'],
    byOtherTitle: ['perth', 'perthByTitle'],
    byCode: ['washington'],
    byAbbreviation: ['perth', 'perthByTitle', 'washington', 'washingtonOrPerth'],
    withCountry: ['perth', 'perthByTitle'],
    otherThan: ['perth', 'unset'],
  });
});

test('a filter by reference data matches unknown names as they are stored, and parts of stored names', async () => {
  expect({
    unknownCountry: await clubs('{ locationCountry: { eq: "Narnia" } }'),
    unknownState: await clubs('{ locationState: { in: ["Lantern Waste", "TX"] } }'),
    nothing: await clubs('{ locationState: { in: [] } }'),
    part: await clubs('{ locationState: { startsWith: "Tex" } }'),
    unset: await clubs('{ locationState: { isNull: true } }'),
    currency: await idsOf('leagues', '{ currency: { eq: "usd" } }'),
    null: await clubs('{ locationState: { eq: null } }'),
  }).toEqual({
    unknownCountry: ['unknown'],
    unknownState: [...texans, 'unknown'],
    nothing: [],
    part: ['texasByTitle', 'texasWithoutCountry'],
    unset: ['unset'],
    currency: ['texas', 'texasByCode'],
    null: ['BAD_INPUT: filter.locationState.eq: expected a value (use isNull to match unset values)'],
  });
});
