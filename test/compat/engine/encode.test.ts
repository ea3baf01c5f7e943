import { expect, test } from 'vitest';
import { codecs, completeTournament, problems } from './sample-records.js';
import { tournament } from './sample-tables.js';

const { encode } = codecs.get(tournament);

test('the sample tables match the sample schema', () => expect(problems).toEqual([]));

test('an encoded record has its fields in the order of the table, with exact numbers', () =>
  expect(JSON.stringify(encode(completeTournament))).toBe(
    '{"TournamentID":"t1","Title":"Austin Open","LocationCity":"Austin","Latitude":30.27,"Longitude":0,"TourneyFromDate":"2026-03-01T09:30:00.25Z",' +
      '"IsFeatured":true,"RegistrationCount":12,"Rating":4.5,"CostRegistrationCurrent":12345678901234567.89,"Level":"NATIONAL","Tags":["open"],' +
      '"GoverningBodies":[{"id":"b1","approvedStatus":"ok"}],"SanctionPPA":true,"SanctionAPP":false,"SantionLevelsPPATitle":"Gold",' +
      '"Settings":{"courts":4},"club_id":"c1","dateCreated":"2026-01-01T00:00:00Z"}',
  ));

test('unset values are encoded as empty strings, zeros, false, empty arrays and null timestamps', () =>
  expect(encode({ id: 't2', title: null, location: null, tags: null })).toEqual({
    TournamentID: 't2',
    Title: '',
    LocationCity: '',
    Latitude: 0,
    Longitude: 0,
    TourneyFromDate: null,
    IsFeatured: false,
    RegistrationCount: 0,
    Rating: 0,
    CostRegistrationCurrent: 0,
    Level: '',
    Tags: [],
    GoverningBodies: [],
    SanctionPPA: false,
    SanctionAPP: false,
    SantionLevelsPPATitle: '',
    Settings: null,
    club_id: '',
    dateCreated: null,
  }));
