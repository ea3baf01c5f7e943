import * as standard from 'tods-competition-factory';
import { type Tournament, tournamentEngine } from 'tods-competition-factory';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';
import { seedAustin, upsertRecord } from './seed.js';

let app: TestApp;
let players: string[];
beforeAll(async () => {
  app = await startApp();
  players = await seedAustin(app);
});
afterAll(() => app.close());

const tods = (id = 'austin') => app.rest('GET', `/tournaments/${id}.tods.json`, app.platform);

test('a tournament is exported with its venue, players, pairs, referees, entries, seeds and final standings', async () => {
  const [one, two, three] = players;
  const { body } = await tods();
  const competitor = (participantId: string | undefined, givenName: string, familyName: string) => ({
    participantId,
    participantType: 'INDIVIDUAL',
    participantRole: 'COMPETITOR',
    participantName: `${givenName} ${familyName}`,
    person: { personId: participantId, standardGivenName: givenName, standardFamilyName: familyName },
  });
  const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
  expect(body).toEqual({
    tournamentId: 'austin',
    tournamentName: 'Austin Open',
    tournamentStatus: 'ACTIVE',
    startDate: '2027-03-05',
    endDate: '2027-03-08',
    localTimeZone: 'America/Chicago',
    hostCountryCode: 'USA',
    onlineResources: [{ resourceType: 'URL', resourceSubType: 'WEBSITE', identifier: 'https://example.com/austin' }],
    venues: [
      {
        venueId: 'venue-austin',
        venueName: 'Town Courts',
        addresses: [
          {
            addressType: 'VENUE',
            addressLine1: '1 Main St',
            city: 'Austin',
            state: 'TX',
            postalCode: '78701',
            countryCode: 'USA',
            latitude: 30.25,
            longitude: -97.75,
          },
        ],
      },
    ],
    participants: [
      competitor(one, 'Ana', 'Lopez'),
      competitor(two, 'Bo', 'Chen'),
      competitor(three, 'Cy', 'Diaz'),
      {
        participantId: 'first',
        participantType: 'PAIR',
        participantRole: 'COMPETITOR',
        participantName: 'Lopez/Chen',
        individualParticipantIds: [one, two],
        timeItems: [{ itemType: 'SCALE.SEEDING.DOUBLES.mixed', itemValue: 1, itemDate: expect.any(String) }],
      },
      {
        participantId: 'duty',
        participantType: 'INDIVIDUAL',
        participantRole: 'OFFICIAL',
        participantName: 'Cy Diaz',
        person: { personId: three, standardGivenName: 'Cy', standardFamilyName: 'Diaz' },
      },
    ],
    events: [
      {
        eventId: 'mixed',
        eventName: 'Mixed 4.0',
        eventType: 'DOUBLES',
        gender: 'MIXED',
        category: { categoryName: 'Mixed 4.0' },
        startDate: '2027-03-07',
        entries: [{ participantId: 'first', entryPosition: 2 }],
        extensions: [{ name: 'finalStandings', value: [{ participantId: 'first', finishingPosition: 1 }] }],
        ...times,
      },
      {
        eventId: 'doubles',
        eventName: 'Open Doubles',
        eventType: 'DOUBLES',
        gender: 'ANY',
        entries: [{ participantId: 'first' }, { participantId: three, entryStatus: 'UNPAIRED' }],
        ...times,
      },
    ],
    ...times,
  });
});

test('the reference implementation of the standard reads all parts of the record', async () => {
  const record: Tournament = (await tods()).body;
  const { success } = tournamentEngine.setState(record);
  const { tournamentInfo } = tournamentEngine.getTournamentInfo();
  const { events = [] } = tournamentEngine.getEvents();
  const { participants = [] } = tournamentEngine.getParticipants({ withIndividualParticipants: true });
  const { venues = [] } = tournamentEngine.getVenuesAndCourts();
  const { scaleItem } = tournamentEngine.getParticipantScaleItem({
    participantId: 'first',
    scaleAttributes: { scaleType: 'SEEDING', eventType: 'DOUBLES', scaleName: 'mixed' },
  });
  const { extension } = tournamentEngine.findExtension({ element: events[0], name: 'finalStandings' });
  expect({
    success,
    name: tournamentInfo.tournamentName,
    startDate: tournamentInfo.startDate,
    endDate: tournamentInfo.endDate,
    events: events.map(({ eventId, entries }) => ({ eventId, entryCount: entries?.length })),
    pairs: participants.flatMap(({ individualParticipants }) =>
      individualParticipants ? [individualParticipants.map(({ participantName }) => participantName)] : [],
    ),
    venues: venues.map(({ venueName }) => venueName),
    seed: scaleItem?.scaleValue,
    finalStandings: extension?.value,
  }).toEqual({
    success: true,
    name: 'Austin Open',
    startDate: '2027-03-05',
    endDate: '2027-03-08',
    events: [
      { eventId: 'mixed', entryCount: 1 },
      { eventId: 'doubles', entryCount: 2 },
    ],
    pairs: [['Ana Lopez', 'Bo Chen']],
    venues: ['Town Courts'],
    seed: 1,
    finalStandings: [{ participantId: 'first', finishingPosition: 1 }],
  });
});

/** Enumerations of the TODS standard, keyed by the attribute that uses them. */
const enumerations: Record<string, object> = {
  addressType: standard.AddressTypeEnum,
  countryCode: standard.CountryCodeEnum,
  entryStatus: standard.EntryStatusEnum,
  eventType: standard.EventTypeEnum,
  gender: standard.GenderEnum,
  hostCountryCode: standard.CountryCodeEnum,
  participantRole: standard.ParticipantRoleEnum,
  participantType: standard.ParticipantTypeEnum,
  resourceType: standard.OnlineResourceTypeEnum,
  sex: standard.SexEnum,
  tournamentStatus: standard.TournamentStatusEnum,
};

test('enumerated attributes have values of the standard, for every format, player group and entry status', async () => {
  const formats = [...Array(11).keys()].map((index) => String(index + 1));
  const groups = [...Array(9).keys()].map((index) => String(index + 1));
  await upsertRecord(app, 'Tournament', { id: 'words', title: 'Words', isCanceled: true });
  for (const formatId of formats)
    await upsertRecord(app, 'TournamentEvent', { id: `f${formatId}`, tournamentId: 'words', formatId });
  for (const playerGroupId of groups)
    await upsertRecord(app, 'TournamentEvent', {
      id: `g${playerGroupId}`,
      tournamentId: 'words',
      playerGroupId,
      isCanceled: true,
    });
  for (const status of ['REGISTERED', 'WAITLISTED', 'WITHDRAWN', 'INVITED', 'OTHER']) {
    const user = await app.person();
    await app.sql.rows("update app_user set gender = 'F' where id = $1", [user.id]);
    await upsertRecord(app, 'Team', { id: status, tournamentId: 'words', eventId: 'f1', playerOneId: user.id });
    await upsertRecord(app, 'EventRegistration', {
      eventId: 'f1',
      teamId: status,
      userId: user.id,
      ...(status === 'OTHER' ? { legacy: { status: 99 } } : { status }),
    });
  }
  const { body } = await tods('words');
  const invalid: string[] = [];
  const values: Record<string, Set<unknown>> = {};
  JSON.stringify(body, (key, value) => {
    const enumeration = enumerations[key];
    if (!enumeration) return value;
    values[key] = (values[key] ?? new Set()).add(value);
    if (!Object.values(enumeration).includes(value)) invalid.push(`${key}: ${value}`);
    return value;
  });
  expect({ invalid, entryStatus: values.entryStatus, gender: values.gender, sex: values.sex }).toEqual({
    invalid: [],
    entryStatus: new Set(['ALTERNATE', 'REGISTERED', 'WITHDRAWN']),
    gender: new Set(['ANY', 'FEMALE', 'MALE', 'MIXED']),
    sex: new Set(['FEMALE']),
  });
});
