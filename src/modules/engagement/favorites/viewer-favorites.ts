import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import type { RecordClass } from '../../../kernel/declare/meta.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import { addFilters } from '../../../kernel/read/conditions/custom-filters.js';
import { Club } from '../../leagues/club.js';
import { League } from '../../leagues/league.js';
import { Game } from '../../scheduler/games/game.js';
import { Tournament } from '../../tournaments/tournament.js';
import { favoriteCourtFilter, favoriteFilter } from './favorite-filters-sql.js';
import type { FavoriteKind } from './favorite-kind.js';
import { isFavorite } from './is-favorite.js';

const description = 'Whether it is a favorite of the signed-in user. False without a user token.';
const nullDescription = 'Null only in federated requests, after a mutation deleted the record.';

type FavoritableRecord = Tournament | League | Club | Game;

/** Declares the field `isViewerFavorite` of a record, and adds the filter with the same name. */
function addFavoriteField(type: RecordClass<FavoritableRecord>, kind: FavoriteKind): RecordClass {
  addFilters(type, { isViewerFavorite: favoriteFilter(kind, description) });
  @Resolver(() => type)
  class FavoriteMark {
    @readsColumns('id')
    @FieldResolver(() => Boolean, { nullable: true, description: `${description} ${nullDescription}` })
    isViewerFavorite(@Root() { id }: Pick<FavoritableRecord, 'id'>, @Ctx() context: Context): Promise<boolean> {
      return isFavorite(context, kind, id);
    }
  }
  return FavoriteMark;
}

addFilters(Game, {
  isAtFavoriteCourt: favoriteCourtFilter(
    'Whether the game is at a favorite court of the signed-in user, or at a court of a favorite club. A court belongs to a club if `courtId` is the ID of the club or the `locationId` of one of its leagues.',
  ),
});

/** Field `isViewerFavorite` of each record that can be a favorite. */
export const favoriteMarks = [
  addFavoriteField(Tournament, 'TOURNAMENT'),
  addFavoriteField(League, 'LEAGUE'),
  addFavoriteField(Club, 'CLUB'),
  addFavoriteField(Game, 'GAME'),
];
