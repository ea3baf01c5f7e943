import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const post = (payload: object, more: object = {}) =>
  app.rest('POST', '/v1/tournaments/tourney_flat_data', app.platform, { payload, ...more });

test('boots', async () => {
  const a = await post({ TournamentID: 't1', Title: 'Austin Open', SanctionPPA: true, SantionLevelsPPATitle: 'Gold', Latitude: 30, Longitude: -97, GoverningBodies: [{ id: '6', approvedStatus: 'yes', sanctionLevelId: 'x' }] });
  console.log(JSON.stringify(a.body));
  const b = await app.rest('GET', '/v1/data/tourney_flat_data?tournament_uuid=t1', app.platform);
  console.log(JSON.stringify(b.body));
});
