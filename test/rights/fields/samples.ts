import { type GraphQLInputType, getNullableType, isEnumType, isInputObjectType, isListType } from 'graphql';
import { metaOf, type RecordClass } from '../../../src/kernel/declare/meta.js';
import type { Fixtures } from './fixtures.js';

/** Sample values that differ from the values in a fresh row, keyed by type. */
const samplesOfTypes: Readonly<Record<string, unknown>> = {
  Boolean: true,
  Int: 7,
  Float: 7,
  Money: '7',
  Day: '2035-05-06',
  Instant: '2035-01-01T00:00:00Z',
  ID: 'another',
  JSON: { any: 1 },
};

/** Values of fields that accept only some values of their type, keyed by field name. */
export const samplesByName: Readonly<Record<string, unknown>> = {
  email: 'sample@example.com',
  partnerEmail: 'sample@example.com',
  password: 'another long password',
  phone: '+1 512 555 0142',
  phoneCountryId: '124',
  countryId: '124',
  stateId: '1',
  'legacy.phoneCountryId': '124',
  'legacy.countryId': '124',
  'legacy.stateId': '1',
  dateOfBirth: '1990-05-06',
  'legacy.dateOfBirth': '1991-05-06T00:00:00Z',
  imageUrl: 'https://sample.example/a.png',
  day: '2035-05-06',
  'legacy.day': '2035-05-06T00:00:00Z',
  'legacy.localDay': '2035-05-06T00:00:00Z',
  localStartsAt: '2035-05-06T10:00:00',
  localEndsAt: '2035-05-06T12:00:00',
  timeZone: 'America/Chicago',
  'legacy.timeZone': 'America/Denver',
  utcOffset: -21_600,
  'legacy.utcOffset': -6,
  invitedEmails: 'sample@example.com',
  invitedIds: 'person-1',
  typeId: '2',
  playerGroupId: '3',
  formatId: '1',
};

/** Record types that arguments and command input fields refer to, keyed by name. Fields of records declare the record types themselves. */
const referencedTypes: Readonly<Record<string, string>> = {
  userId: 'User',
  userIds: 'User',
  partnerId: 'User',
  eventId: 'TournamentEvent',
  registrationId: 'Registration',
  subjectId: 'Tournament',
  itemId: 'Biography',
  gameId: 'Game',
  newsItemId: 'NewsItem',
};

/** A field or an argument that needs a sample value. */
export interface SampleTarget {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** Record to which the input type belongs. */
  readonly cls?: RecordClass | null;
  /** Value that the sample must differ from. */
  readonly before?: unknown;
}

/** Returns a value that differs from the value in a fresh row. References point to rows of a user other than the caller and the owner. */
export async function sampleFor(fixtures: Fixtures, { name, type, cls, before }: SampleTarget): Promise<unknown> {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [await sampleFor(fixtures, { name, type: nullable.ofType, cls })];
  if (isEnumType(nullable)) {
    const values = nullable.getValues().map((value) => value.name);
    return values.at(-2) === before ? values.at(-1) : values.at(-2);
  }
  if (isInputObjectType(nullable)) {
    const [first] = Object.values(nullable.getFields());
    return first ? { [first.name]: await sampleFor(fixtures, { name: first.name, type: first.type }) } : {};
  }
  if (samplesByName[name] !== undefined) return samplesByName[name];
  const field = cls ? metaOf(cls).fields.get(name) : undefined;
  const referencedType = field ? field.ref?.target().name : referencedTypes[name];
  if (referencedType) return fixtures.rowOfStranger(referencedType);
  const sample = samplesOfTypes[nullable.toString()] ?? '7';
  return typeof before === 'boolean' ? !before : sample;
}
