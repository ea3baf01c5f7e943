import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const read = async (path: string) => (await app.rest('GET', path, app.platform)).body;

describe('lookup_states', () => {
  test('gives every state with exactly the documented fields', async () => {
    const { results, ...rest } = await read('/v1/data/lookup_states');
    const texas = results.find(({ title }: { title: string }) => title === 'Texas');
    expect([rest, results.length, JSON.stringify(texas)]).toEqual([
      {},
      5070,
      '{"id":"48","abbreviation":"TX","title":"Texas","countryId":"840"}',
    ]);
  });

  test('gives those of one country', async () => {
    const { results } = await read('/v1/data/lookup_states?country_id=36');
    expect(results.map(({ abbreviation }: { abbreviation: string }) => abbreviation)).toEqual(
      'ACT NSW NT QLD SA TAS VIC WA'.split(' '),
    );
  });
});
