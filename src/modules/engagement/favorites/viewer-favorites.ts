import { sql as raw, type SqlBool } from 'kysely';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import type { RecordClass } from '../../../kernel/declare/meta.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import { addFilters } from '../../../kernel/read/conditions/custom-filters.js';
import { Club } from '../../leagues/club.js';
import { League } from '../../leagues/league.js';
import { Game } from '../../scheduler/games/game.js';
import { Tournament } from '../../tournaments/tournament.js';
import type { Favorite, FavoriteKind } from './favorite.js';
import { favoriteCourtFilter, favoriteFilter } from './favorite-filters-sql.js';

const favoriteKey = ({ kind, subjectId }: Pick<Favorite, 'kind' | 'subjectId'>): string => `${kind} ${subjectId}`;

/** Whether a subject is a favorite of the signed-in user. Reads all favorites of the user once per request. */
async function isFavorite({ caller, loaders, sql }: Context, kind: FavoriteKind, subjectId: string): Promise<boolean> {
  if (!caller.user) return false;
  const favorites = await loaders.batchLoader('favorites of users', async (users) => {
    const rows = await sql.run(
      sql.db
        .selectFrom('favorite')
        .select(['user_id as userId', 'kind', 'subject_id as subjectId'])
        .where(raw<SqlBool>`user_id = any(${users})`),
    );
    return users.map((user) => new Set(rows.filter(({ userId }) => userId === user).map(favoriteKey)));
  })(caller.user.id);
  return favorites.has(favoriteKey({ kind, subjectId }));
}

const description = 'Whether the record is a favorite of the signed-in user. False without a user token.';
const nullDescription = 'Null only in federated requests, after a mutation has deleted the record.';

type FavoritableRecord = Tournament | League | Club | Game;

/** Declares the field `isViewerFavorite` of a record and adds the filter with the same name. */
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
export const viewerFavoriteFields = [
  addFavoriteField(Tournament, 'TOURNAMENT'),
  addFavoriteField(League, 'LEAGUE'),
  addFavoriteField(Club, 'CLUB'),
  addFavoriteField(Game, 'GAME'),
];
