import { expect, test } from 'vitest';
import { camel, camelExcept } from '../../../compat/engine/index.js';

test.for<[string, string]>([
  ['uuid', 'id'],
  ['player_one_uuid', 'playerOneId'],
  ['optedInPlayerUuids', 'optedInPlayerIds'],
  ['attendee_event_id_1', 'attendeeEventId1'],
  ['contact_person1_user_uuid', 'contactPerson1UserId'],
  ['TourneyFromDate', 'tourneyFromDate'],
  ['DetailsURL', 'detailsUrl'],
  ['PBTournamentCode', 'pbTournamentCode'],
  ['TimeZoneUTCOffset', 'timeZoneUtcOffset'],
  ['providerOneEmailOrMerchantId2', 'providerOneEmailOrMerchantId2'],
  ['useSeniorAndU50', 'useSeniorAndU50'],
  ['rating1stChoice', 'rating1stChoice'],
])('%s is %s in the graph', ([key, field]) => expect(camel(key)).toBe(field));

test('renamed fields are renamed in every spelling', () =>
  expect(['dateCreated', 'date_created', 'DateCreated', 'title'].map(camelExcept({ dateCreated: 'createdAt' }))).toEqual([
    'createdAt',
    'createdAt',
    'createdAt',
    'title',
  ]));
