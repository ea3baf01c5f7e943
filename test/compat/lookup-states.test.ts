import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const read = async (path: string) => (await app.rest('GET', path, app.platform)).body;

describe('lookup_states', () => {
  test('lists every state with exactly the documented fields', async () => {
    const { results, ...otherKeys } = await read('/v1/data/lookup_states');
    const texas = results.find(({ title }: { title: string }) => title === 'Texas');
    expect({ otherKeys, count: results.length, texas: JSON.stringify(texas) }).toEqual({
      otherKeys: {},
      count: 5070,
      texas: '{"id":"48","abbreviation":"TX","title":"Texas","countryId":"840"}',
    });
  });

  test('lists the states of one country', async () => {
    const { results } = await read('/v1/data/lookup_states?country_id=36');
    expect(results.map(({ abbreviation }: { abbreviation: string }) => abbreviation)).toEqual(
      'ACT NSW NT QLD SA TAS VIC WA'.split(' '),
    );
  });
});
