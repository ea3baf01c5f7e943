import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { RecordClass } from '../../kernel/declare/meta.js';
import { needs } from '../../kernel/declare/record.js';
import { Club } from '../leagues/club.js';
import { League } from '../leagues/league.js';
import { Game } from '../scheduler/game.js';
import { Tournament } from '../tournaments/tournament.js';
import type { FavoriteKind } from './favorite-kind.js';
import { isFavorite } from './is-favorite.js';

function markOn(type: RecordClass<{ id: string }>, kind: FavoriteKind): RecordClass {
  @Resolver(() => type)
  class FavoriteMark {
    @needs('id')
    @FieldResolver(() => Boolean, { description: 'It is a favorite of the signed-in user; false without one.' })
    isViewerFavorite(@Root() { id }: { id: string }, @Ctx() context: Context): Promise<boolean> {
      return isFavorite(context, kind, id);
    }
  }
  return FavoriteMark;
}

/** Whether the signed-in user has marked what is shown. */
export const favoriteMarks = [
  markOn(Tournament, 'TOURNAMENT'),
  markOn(League, 'LEAGUE'),
  markOn(Club, 'CLUB'),
  markOn(Game, 'GAME'),
];
