import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { RecordClass } from '../../kernel/declare/meta.js';
import { onBehalfOf } from '../../kernel/declare/on-behalf-of.js';
import { needs } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { legacyArgument } from '../../kernel/declare/shown.js';
import { writes } from '../../kernel/declare/writes.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { Club } from '../leagues/club.js';
import { League } from '../leagues/league.js';
import { Game } from '../scheduler/game.js';
import { Tournament } from '../tournaments/tournament.js';
import { Favorite } from './favorite.js';
import { FavoriteKind } from './favorite-kind.js';
import { FavoriteSubjectInput } from './favorite-subject-input.js';
import { addFavorite, removeFavorite } from './keep-favorite.js';

const whose = 'Owner of the favorite: the signed-in user, unless a platform names another user.';

type Found<T> = Promise<RowOf<T> | null> | null;

/** The record that a favorite of one kind points to. */
const subject = <T extends object>(
  cls: RecordClass<T>,
  wanted: FavoriteKind,
  { kind, subjectId }: Pick<Favorite, 'kind' | 'subjectId'>,
  { loaders }: Context,
  info: GraphQLResolveInfo,
): Found<T> => (kind === wanted ? loaders.one(cls, columnsWanted(cls, info), subjectId) : null);

@Resolver(() => Favorite)
export class FavoriteResolver {
  @writes(Favorite)
  @Mutation(() => Favorite, {
    description:
      'Adds a favorite, or returns the existing one. NOT_FOUND if the caller sees no tournament, league, club or game with that ID.',
  })
  addFavorite(
    @Arg('kind', () => FavoriteKind, { description: 'Type of the favorite.' }) kind: FavoriteKind,
    @Arg('subjectId', () => ID, { description: 'ID of the tournament, league, club and so on.' }) subjectId: string,
    @Arg('userId', () => ID, { nullable: true, description: whose }) userId: string | null,
    @Arg(legacyArgument, () => Boolean, {
      defaultValue: false,
      description: 'Whether to accept IDs that no record has yet, like `/v1`. Use it to import favorites of another system.',
    })
    acceptsLegacyValues: boolean,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Favorite>> {
    return addFavorite(context, userId, kind, subjectId, acceptsLegacyValues, columnsWanted(Favorite, info));
  }

  @writes(Favorite)
  @Mutation(() => Favorite, {
    description:
      'Removes a favorite, by its ID or by what it points to, and returns it as it was. NOT_FOUND if the user has no such favorite. BAD_INPUT unless exactly one of `id` and `subject` is set.',
  })
  removeFavorite(
    @Arg('id', () => ID, { nullable: true, description: 'ID of the favorite.' }) id: string | null,
    @Arg('subject', () => FavoriteSubjectInput, { nullable: true, description: 'Subject of the favorite.' })
    subject: FavoriteSubjectInput | null,
    @Arg('userId', () => ID, { nullable: true, description: whose }) userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Favorite>> {
    return removeFavorite(context, onBehalfOf(context, userId), { id, subject }, columnsWanted(Favorite, info));
  }

  @needs('kind', 'subjectId')
  @FieldResolver(() => Tournament, { nullable: true, description: 'The tournament, where it is one.' })
  tournament(
    @Root() favorite: Pick<Favorite, 'kind' | 'subjectId'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Found<Tournament> {
    return subject(Tournament, 'TOURNAMENT', favorite, context, info);
  }

  @needs('kind', 'subjectId')
  @FieldResolver(() => League, { nullable: true, description: 'The league, where it is one.' })
  league(
    @Root() favorite: Pick<Favorite, 'kind' | 'subjectId'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Found<League> {
    return subject(League, 'LEAGUE', favorite, context, info);
  }

  @needs('kind', 'subjectId')
  @FieldResolver(() => Club, { nullable: true, description: 'The club, where it is one.' })
  club(
    @Root() favorite: Pick<Favorite, 'kind' | 'subjectId'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Found<Club> {
    return subject(Club, 'CLUB', favorite, context, info);
  }

  @needs('kind', 'subjectId')
  @FieldResolver(() => Game, { nullable: true, description: 'The game, where it is one and the caller may see it.' })
  game(
    @Root() favorite: Pick<Favorite, 'kind' | 'subjectId'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Found<Game> {
    return subject(Game, 'GAME', favorite, context, info);
  }
}
