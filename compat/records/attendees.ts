import { camelExcept, record } from '../engine/index.js';

const keys = camelExcept({
  dateCreated: 'reported.createdAt',
  createdByFullName: 'reported.createdBy',
  dateUpdated: 'reported.updatedAt',
  updatedByFullName: 'reported.updatedBy',
});

export const attendeeHeader = record('AttendeeEventHeader', {
  type: 'Registration',
  input: 'RegistrationInput',
  keys,
  fields: `tournament_attendee_header_uuid tournament_uuid user_uuid date_created created_by_full_name date_updated updated_by_full_name
    update_location promo_code has_partner`,
  owner: 'user_uuid',
  paths: { tournament_attendee_header_uuid: 'id' },
});

export const attendeeEvent = record('AttendeeEventRecord', {
  type: 'EventRegistration',
  input: 'EventRegistrationInput',
  keys,
  fields: `tournament_attendee_event_uuid tournament_attendee_header_uuid event_uuid event_team_uuid user_uuid date_created
    created_by_full_name date_updated updated_by_full_name status update_location player_group_id format_id original_event_uuid
    tournament_partner_attendee_event_uuid partner_user_uuid`,
  owner: 'user_uuid',
  paths: {
    tournament_attendee_event_uuid: 'id',
    tournament_attendee_header_uuid: 'registrationId',
    event_team_uuid: 'teamId',
    player_group_id: 'playerGroupId',
    format_id: 'formatId',
    tournament_partner_attendee_event_uuid: 'partnerRegistrationId',
    partner_user_uuid: 'partnerId',
  },
});

export const eventFinalStanding = record('EventFinalStanding', {
  type: 'FinalStanding',
  input: 'FinalStandingInput',
  keys,
  fields: 'event_uuid team_uuid final_ranking date_created date_updated',
});
