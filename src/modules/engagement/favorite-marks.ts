import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { RecordClass } from '../../kernel/declare/meta.js';
import { needs } from '../../kernel/declare/record.js';
import { addFilters } from '../../kernel/read/own-filters.js';
import { Club } from '../leagues/club.js';
import { League } from '../leagues/league.js';
import { Game } from '../scheduler/game.js';
import { Tournament } from '../tournaments/tournament.js';
import type { FavoriteKind } from './favorite-kind.js';
import { isFavorite } from './is-favorite.js';
import { isAtMarkedCourt, isMarked } from './is-marked-sql.js';

const favorite = 'It is a favorite of the signed-in user; false without one.';
const gone = 'Null where a mutation has just deleted it and a router asks.';

type Markable = Tournament | League | Club | Game;

function markOn(type: RecordClass<Markable>, kind: FavoriteKind): RecordClass {
  addFilters(type, { isViewerFavorite: isMarked(kind, favorite) });
  @Resolver(() => type)
  class FavoriteMark {
    @needs('id')
    @FieldResolver(() => Boolean, { nullable: true, description: `${favorite} ${gone}` })
    isViewerFavorite(@Root() { id }: Pick<Markable, 'id'>, @Ctx() context: Context): Promise<boolean> {
      return isFavorite(context, kind, id);
    }
  }
  return FavoriteMark;
}

addFilters(Game, {
  isAtFavoriteCourt: isAtMarkedCourt(
    'It is played at a favorite court of the signed-in user, or at a court of a favorite club: `courtId` is the id of the club, or the `locationId` of a league of the club.',
  ),
});

/** Whether the signed-in user has marked what is shown. */
export const favoriteMarks = [
  markOn(Tournament, 'TOURNAMENT'),
  markOn(League, 'LEAGUE'),
  markOn(Club, 'CLUB'),
  markOn(Game, 'GAME'),
];
