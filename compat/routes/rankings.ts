import {
  computedFrom,
  declareRoutes,
  firstPresent,
  ifEquals,
  type LegacyRecord,
  list,
  page,
  platform,
  platformOrUser,
  query,
  type Route,
  result,
  value,
} from '../engine/index.js';
import { detailedRankedPlayer, eventPoints, rankedPlayer, rankingPoints, rankingStats } from '../records/rankings.js';
import { upsertRoute } from './record-routes.js';

/** GraphQL divisions, keyed by legacy number (section 2.12). */
const divisions = {
  0: 'OTHER',
  1: 'WOMENS_SINGLES',
  2: 'MENS_SINGLES',
  3: 'MIXED_DOUBLES',
  4: 'WOMENS_DOUBLES',
  5: 'MENS_DOUBLES',
};

/** Ranking partner. Only the professional tour `PPA` has a ranking, so other values result in status 400. */
const partner = firstPresent(query.oneOf('partner', ['PPA']), value('PPA'));

const division = query.oneOf('division_type', divisions);

/** Gender filter for mixed doubles. In other divisions, the parameter is ignored even if it is invalid. */
const mixedGender = ifEquals(division, 'MIXED_DOUBLES', query.oneOf('gender', ['M', 'F']));

const rankings = (record: LegacyRecord): Route => ({
  auth: platform,
  when: partner,
  args: {
    division,
    year: query.int('race'),
    since: query.unix('start_date'),
    gender: mixedGender,
    ...page(),
  },
  operation: `query ($division: Division, $year: Int, $since: Instant, $gender: Gender) {
    rankings(division: $division, year: $year, since: $since, gender: $gender) { totalCount nodes { ...${record.name} } }
  }`,
  reply: list(record, { total: 'total_records', isTotalNumber: true }),
  summary: 'List ranked players.',
});

/** Routes for rankings (section 4.11, decision 25). */
export const rankingRoutes = declareRoutes({
  'GET /v1/data/partner_rankings': [
    {
      ...rankings(detailedRankedPlayer),
      when: computedFrom((all) => all, query.flag('show_all_info'), partner),
      summary: 'List ranked players with additional fields, if `show_all_info` is true.',
    },
    rankings(rankedPlayer),
  ],
  'GET /v1/data/tournament_events/{uuid}/points': {
    auth: platform,
    operation: `query ($uuid: ID!) {
      allRankingPoints(filter: { eventId: { eq: $uuid } }, orderBy: [{ field: POINTS, direction: DESC }]) { totalCount nodes { ...EventPoints } }
    }`,
    reply: list(eventPoints, { total: 'total_records', isTotalNumber: true }),
    summary: 'List the ranking points earned in an event, highest first.',
  },
  'GET /v1/data/partner_rankings_stats': {
    auth: platform,
    when: partner,
    operation: '{ rankingStats { ...RankingsUpdate } }',
    reply: result(rankingStats),
    summary: 'Get the time when the rankings last changed.',
  },
  'POST /v1/admin/rankings/upsert': upsertRoute(rankingPoints, "Create or update a player's ranking points in an event.", {
    auth: platformOrUser,
  }),
});
