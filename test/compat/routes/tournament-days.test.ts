import { afterAll, beforeAll, expect, test } from 'vitest';
import { instantAt } from '../../support/fixtures/tournaments.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const post = (payload: object) => app.rest('POST', '/v1/tournaments/tourney_flat_data', app.platform, { payload });
const listIds = async (query: string): Promise<string[]> => {
  const { body } = await app.rest('GET', `/v1/data/tourney_flat_data?${query}`, app.platform);
  return body.results.map(({ TournamentID }: { TournamentID: string }) => TournamentID);
};

test('start_date and end_date compare days in the time zone of the tournament', async () => {
  await post({
    TournamentID: 'kiribati',
    ClubID: 'islands',
    TourneyFromDate: '2026-03-02T18:00:00Z',
    TourneyToDate: '2026-03-03T10:00:00Z',
    ianaTzIdentifier: 'Pacific/Kiritimati',
  });
  const within = (from: string, until: string) =>
    listIds(`club_id=islands&start_date=${Date.parse(from) / 1000}&end_date=${Date.parse(until) / 1000}`);
  expect({
    endsBeforeFirstDay: await within('2026-03-01T00:00:00Z', '2026-03-02T09:59:59Z'),
    endsOnFirstDay: await within('2026-03-01T00:00:00Z', '2026-03-02T10:00:00Z'),
    startsOnLastDay: await within('2026-03-04T09:59:59Z', '2026-03-05T00:00:00Z'),
    startsAfterLastDay: await within('2026-03-04T10:00:00Z', '2026-03-05T00:00:00Z'),
  }).toEqual({
    endsBeforeFirstDay: [],
    endsOnFirstDay: ['kiribati'],
    startsOnLastDay: ['kiribati'],
    startsAfterLastDay: [],
  });
});

test('now_registering lists tournaments with only an opening date or only a closing date', async () => {
  await post({ TournamentID: 'opened', ClubID: 'open', TourneyFromDate: instantAt(500), RegistrationDateOpen: instantAt(-1) });
  await post({ TournamentID: 'closing', ClubID: 'open', TourneyFromDate: instantAt(500), RegistrationDateClosed: instantAt(1) });
  await post({ TournamentID: 'neither', ClubID: 'open', TourneyFromDate: instantAt(500) });
  expect((await listIds('club_id=open&now_registering=true')).toSorted()).toEqual(['closing', 'opened']);
});
