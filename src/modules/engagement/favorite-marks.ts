import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import { needs } from '../../kernel/record.js';
import { Club } from '../leagues/club.js';
import { League } from '../leagues/league.js';
import { Game } from '../scheduler/game.js';
import { Tournament } from '../tournaments/tournament.js';
import { isFavorite } from './is-favorite.js';

const description = 'It is a favorite of the signed-in user; false without one.';

@Resolver(() => Tournament)
class TournamentMark {
  @needs('id')
  @FieldResolver(() => Boolean, { description })
  isViewerFavorite(@Root() { id }: Tournament, @Ctx() context: Context): Promise<boolean> {
    return isFavorite(context, 'TOURNAMENT', id);
  }
}

@Resolver(() => League)
class LeagueMark {
  @needs('id')
  @FieldResolver(() => Boolean, { description })
  isViewerFavorite(@Root() { id }: League, @Ctx() context: Context): Promise<boolean> {
    return isFavorite(context, 'LEAGUE', id);
  }
}

@Resolver(() => Club)
class ClubMark {
  @needs('id')
  @FieldResolver(() => Boolean, { description })
  isViewerFavorite(@Root() { id }: Club, @Ctx() context: Context): Promise<boolean> {
    return isFavorite(context, 'CLUB', id);
  }
}

@Resolver(() => Game)
class GameMark {
  @needs('id')
  @FieldResolver(() => Boolean, { description })
  isViewerFavorite(@Root() { id }: Game, @Ctx() context: Context): Promise<boolean> {
    return isFavorite(context, 'GAME', id);
  }
}

/** Whether the signed-in user has marked what is shown. */
export const favoriteMarks = [TournamentMark, LeagueMark, ClubMark, GameMark];
