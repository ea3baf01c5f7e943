import { asNumber, camelExcept, decimalString, readOnly, record, sameForFields, withNullAs } from '../engine/index.js';

const fields = `player_one_uuid player_two_uuid ranking rating seed player_one_rank player_one_rating player_two_rank player_two_rating
  event_uuid tournament_uuid ratingGamesPlayed attendee_event_id_1 attendee_event_id_2`;
const keys = camelExcept({ attendeeEventId1: 'registrationOneId', attendeeEventId2: 'registrationTwoId' });

/** A team in upsert responses. Its keys are camelCase. Ranks and the seed are strings, and `ratingGamesPlayed` is a number. */
export const teamUpsertResponse = record('TeamUpserted', {
  type: 'Team',
  keys,
  fields: `uuid playerOneUuid playerTwoUuid ranking rating seed playerOneRank playerOneRating playerTwoRank playerTwoRating
    eventUuid tournamentUuid platformId ratingGamesPlayed attendee_event_id_1 attendee_event_id_2`,
  as: {
    ...sameForFields('ranking seed playerOneRank playerTwoRank', [decimalString, withNullAs('0')]),
    ratingGamesPlayed: asNumber,
  },
});

/** A team in create and update requests, and in all responses except upsert responses. The server assigns the UUID. */
export const team = record('TeamRecord', {
  type: 'Team',
  input: 'TeamInput',
  responseRecords: [teamUpsertResponse],
  keys,
  fields: `uuid ${fields}`,
  as: { uuid: readOnly },
});

/** A team in upsert requests, which may contain its UUID. */
export const teamUpsert = record('TeamUpsert', {
  input: 'TeamInput',
  responseRecords: [teamUpsertResponse],
  keys,
  fields: `uuid ${fields}`,
});
