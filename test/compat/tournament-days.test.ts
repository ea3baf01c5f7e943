import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { at } from '../support/tournaments.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const post = (payload: object) => app.rest('POST', '/v1/tournaments/tourney_flat_data', app.platform, { payload });
const found = async (query: string): Promise<string[]> => {
  const { body } = await app.rest('GET', `/v1/data/tourney_flat_data?${query}`, app.platform);
  return body.results.map(({ TournamentID }: { TournamentID: string }) => TournamentID);
};

test('counts days where the tournament takes place', async () => {
  await post({
    TournamentID: 'kiribati',
    ClubID: 'islands',
    TourneyFromDate: '2026-03-02T18:00:00Z',
    TourneyToDate: '2026-03-03T10:00:00Z',
    ianaTzIdentifier: 'Pacific/Kiritimati',
  });
  const within = (from: string, until: string) =>
    found(`club_id=islands&start_date=${Date.parse(from) / 1000}&end_date=${Date.parse(until) / 1000}`);
  expect([
    await within('2026-03-01T00:00:00Z', '2026-03-02T09:59:59Z'),
    await within('2026-03-01T00:00:00Z', '2026-03-02T10:00:00Z'),
    await within('2026-03-04T09:59:59Z', '2026-03-05T00:00:00Z'),
    await within('2026-03-04T10:00:00Z', '2026-03-05T00:00:00Z'),
  ]).toEqual([[], ['kiribati'], ['kiribati'], []]);
});

test('registers with either date alone', async () => {
  await post({ TournamentID: 'opened', ClubID: 'open', TourneyFromDate: at(500), RegistrationDateOpen: at(-1) });
  await post({ TournamentID: 'closing', ClubID: 'open', TourneyFromDate: at(500), RegistrationDateClosed: at(1) });
  await post({ TournamentID: 'neither', ClubID: 'open', TourneyFromDate: at(500) });
  expect((await found('club_id=open&now_registering=true')).toSorted()).toEqual(['closing', 'opened']);
});
