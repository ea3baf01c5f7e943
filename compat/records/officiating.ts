import { camelExcept, readOnly, record } from '../engine/index.js';

export const prematch = record('PrematchRecord', {
  type: 'Prematch',
  input: 'PrematchInput',
  fields: `uuid match_uuid start_prematch_setup players_on_court warmup_start team_one_player_one_note team_one_player_two_note
    team_two_player_one_note team_two_player_two_note coin_toss coin_toss_team_uuid start_live_scoring date_created`,
  keys: camelExcept({
    startPrematchSetup: 'setupStartedAt',
    playersOnCourt: 'playersOnCourtAt',
    warmupStart: 'warmupStartedAt',
    coinToss: 'coinTossedAt',
    startLiveScoring: 'scoringStartedAt',
    dateCreated: 'reported.createdAt',
  }),
});

export const pregame = record('PregameRecord', {
  type: 'Pregame',
  input: 'PregameInput',
  fields: `uuid match_uuid game_number serving_team_uuid receiving_team_uuid left_of_umpire_team_uuid right_of_umpire_team_uuid
    first_serve_team_one_player_uuid first_serve_team_two_player_uuid date_created`,
  keys: camelExcept({
    leftOfUmpireTeamId: 'leftTeamId',
    rightOfUmpireTeamId: 'rightTeamId',
    firstServeTeamOnePlayerId: 'teamOneFirstServerId',
    firstServeTeamTwoPlayerId: 'teamTwoFirstServerId',
    dateCreated: 'reported.createdAt',
  }),
  as: { uuid: readOnly },
});
