import { asNumber, decimalString, record, unixSeconds } from '../engine/index.js';
import { userSlug } from './accounts.js';

/** A player's points in an event, in upsert requests and responses (section 2.12). */
export const rankingPoints = record('RankingPointsFlat', {
  type: 'RankingPoints',
  input: 'RankingPointsInput',
  fields: `playerUuid playerFullName tournamentUuid tournamentTitle eventUuid eventTitle eventDate bracketLevelId pointsType points
    lastMatchRound lastMatchRoundText lastMatchDateCompleted lastMatchUuid tier cancelsOutTournamentUuid ignoreInFinalCalculation isLocked`,
  owner: 'playerUuid',
  preserved: 'isLocked',
  paths: {
    playerUuid: 'playerId',
    playerFullName: 'playerName',
    tournamentUuid: 'tournamentId',
    eventUuid: 'eventId',
    eventDate: 'playedAt',
    pointsType: 'type',
    lastMatchRoundText: 'lastMatchRoundTitle',
    lastMatchDateCompleted: 'lastMatchCompletedAt',
    lastMatchUuid: 'lastMatchId',
    tier: 'tierLevel',
    cancelsOutTournamentUuid: 'cancelsOutTournamentId',
    ignoreInFinalCalculation: 'isIgnored',
  },
  as: { bracketLevelId: asNumber },
});

/** A player's points in an event, in list responses (section 2.12). */
export const eventPoints = record('EventPoints', {
  type: 'RankingPoints',
  fields: 'player_uuid player_full_name points last_match_round last_match_round_text last_match_uuid',
  paths: {
    player_uuid: 'playerId',
    player_full_name: 'shownName',
    last_match_round_text: 'lastMatchRoundTitle',
    last_match_uuid: 'lastMatchId',
  },
});

const rankingFields = `player_uuid player_full_name points ranking profile_image age gender city state country is_tied is_adjusted
  total_tournaments_played pb_uuid player_first_name player_last_name player_country_abbreviation`;
const rankingPaths = {
  player_uuid: 'playerId',
  player_full_name: 'playerName',
  ranking: 'rank',
  profile_image: 'player.imageUrl',
  city: 'player.city',
  state: 'player.state.title',
  country: 'player.country.title',
  total_tournaments_played: 'tournamentsPlayed',
  pb_uuid: 'player.id',
  player_first_name: 'player.firstName',
  player_last_name: 'player.lastName',
  player_country_abbreviation: 'player.country.abbreviation',
};
const rankingShapes = { ranking: decimalString, age: decimalString };

/** A player in the ranking (section 2.12). */
export const rankedPlayer = record('PlayerRanking', {
  type: 'RankedPlayer',
  fields: rankingFields,
  paths: rankingPaths,
  as: rankingShapes,
});

/** A player in the ranking, if the parameter `show_all_info` is true. */
export const detailedRankedPlayer = record('PlayerRankingInFull', {
  type: 'RankedPlayer',
  fields: `${rankingFields} playerSlug`,
  paths: { ...rankingPaths, playerSlug: 'player.slug' },
  as: { ...rankingShapes, playerSlug: userSlug },
});

export const rankingStats = record('RankingsUpdate', {
  type: 'RankingStats',
  fields: 'last_update',
  paths: { last_update: 'updatedAt' },
  as: { last_update: unixSeconds },
});
