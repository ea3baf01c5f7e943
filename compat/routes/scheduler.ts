import {
  computedFrom,
  declareRoutes,
  expected,
  list,
  named,
  page,
  payload,
  platformOrUser,
  query,
  result,
} from '../engine/index.js';
import { game, listedGame } from '../records/scheduler.js';
import { listRoute } from './record-routes.js';

const decimalPattern = /^\d+(\.\d+)?$/;
const toNumbers = (texts: readonly string[] | undefined) =>
  texts?.map((text) =>
    decimalPattern.test(text) ? Number(text) : named('ratings', () => expected('numbers with commas between them')),
  );

/** Filter for public or private games. Undefined if a request sets both `public` and `private`, or neither. */
const isInviteOnly = computedFrom(
  (isPublic, isPrivate) => (isPublic === isPrivate ? undefined : isPrivate === true),
  query.flag('public'),
  query.flag('private'),
);

/** Routes for the game scheduler (section 4.14). */
export const schedulerRoutes = declareRoutes({
  'POST /v1/game_scheduler': {
    auth: platformOrUser,
    args: { input: payload(game) },
    operation: 'mutation ($input: GameInput!) { scheduleGame(input: $input, acceptsLegacyValues: true) { ...GameScheduler } }',
    reply: result(game),
    summary: 'Schedule a game and invite players.',
  },
  'DELETE /v1/game_scheduler/{uuid}': {
    auth: platformOrUser,
    operation: 'mutation ($uuid: ID!) { cancelGame(id: $uuid) { ...GameScheduler } }',
    reply: result(game),
    summary: 'Delete a game.',
  },
  'GET /v1/data/game_scheduler': listRoute(
    'games',
    list(listedGame, { total: 'totalRecords' }),
    'List games that the caller can see, newest first.',
    {
      auth: platformOrUser,
      args: {
        filter: {
          beginsAt: { gte: query.instant('date_start'), lte: query.instant('date_end', 'last') },
          isInviteOnly,
          isViewerFavorite: query.flag('favorite'),
          isAtFavoriteCourt: query.flag('court_favorite'),
          types: {
            hasAny: query.flags({
              game_type_singles: 'SINGLES',
              game_type_doubles: 'DOUBLES',
              game_type_skinny: 'SKINNY',
              game_type_drills: 'DRILLS',
              game_type_any: 'ANY',
            }),
          },
          genders: { hasAny: query.flags({ gender_f: 'WOMEN', gender_m: 'MEN', gender_any: 'ANY' }) },
          ratings: { hasAny: computedFrom(toNumbers, query.list('ratings')) },
        },
        ...page(),
      },
    },
  ),
});
