import { module } from '../../kernel/serve/module.js';
import { PlayerRankings } from './player-rankings.js';
import { RankingPoints } from './ranking-points.js';
import { RankingPointsResolver, RankingsResolver } from './rankings-resolver.js';

/** Rankings of players by the points of their events (sections 2.12 and 4.11). */
export const rankings = module({
  name: 'rankings',
  description: 'Points of players in events, and the rankings computed from them.',
  records: [RankingPoints],
  resolvers: [RankingsResolver, PlayerRankings, RankingPointsResolver],
});
