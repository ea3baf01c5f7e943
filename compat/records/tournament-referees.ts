import { record } from '../engine/index.js';

export const tournamentReferee = record('TournamentRefereeRecord', {
  type: 'TournamentReferee',
  fields: 'uuid tournamentUuid userUuid',
});

export const tournamentRefereeSent = record('TournamentRefereeSent', {
  input: 'TournamentRefereeInput',
  responseRecords: [tournamentReferee],
  fields: 'tournament_uuid user_uuid',
});

export const tournamentRefereeListed = record('TournamentRefereeListed', {
  type: 'TournamentReferee',
  fields: 'uuid tournamentUuid userUuid firstName lastName nameSuffix',
  paths: { firstName: 'user.firstName', lastName: 'user.lastName', nameSuffix: 'user.nameSuffix' },
});
