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
])('the key %s becomes the field %s', ([key, field]) => expect(camel(key)).toBe(field));

test.for<[string, string]>([
  ['dateCreated', 'createdAt'],
  ['date_created', 'createdAt'],
  ['DateCreated', 'createdAt'],
  ['title', 'title'],
])('with dateCreated renamed, the key %s becomes the field %s', ([key, field]) =>
  expect(camelExcept({ dateCreated: 'createdAt' })(key)).toBe(field),
);
