import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { legacyArgumentName } from '../../../kernel/declare/fields/legacy-fields.js';
import type { RecordClass } from '../../../kernel/declare/meta.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { Club } from '../../leagues/club.js';
import { League } from '../../leagues/league.js';
import { Game } from '../../scheduler/games/game.js';
import { Tournament } from '../../tournaments/tournament.js';
import { Favorite, FavoriteKind, FavoriteSubjectInput } from './favorite.js';
import { addFavorite, removeFavorite } from './save-favorite.js';

const userIdDescription =
  'ID of the owner of the favorite. Defaults to the signed-in user. Only platforms can specify another user.';

type MaybeRow<T> = Promise<RowOf<T> | null> | null;

/** Loads the record that a favorite refers to. Returns null if the favorite is of another kind. */
const loadSubject = <T extends object>(
  cls: RecordClass<T>,
  expectedKind: FavoriteKind,
  { kind, subjectId }: Pick<Favorite, 'kind' | 'subjectId'>,
  { loaders }: Context,
  info: GraphQLResolveInfo,
): MaybeRow<T> => (kind === expectedKind ? loaders.loadRow(cls, selectedColumns(cls, info), subjectId) : null);

@Resolver(() => Favorite)
export class FavoriteResolver {
  @allowWriters(Favorite)
  @Mutation(() => Favorite, {
    description:
      'Adds a favorite, or returns the existing favorite. NOT_FOUND if no tournament, league, club or game with this ID is visible to the caller.',
  })
  addFavorite(
    @Arg('kind', () => FavoriteKind, { description: 'Kind of the favorite.' }) kind: FavoriteKind,
    @Arg('subjectId', () => ID, { description: 'ID of the tournament, league, club, game, clinic or court.' }) subjectId: string,
    @Arg('userId', () => ID, { nullable: true, description: userIdDescription }) userId: string | null,
    @Arg(legacyArgumentName, () => Boolean, {
      defaultValue: false,
      description: 'Whether to accept IDs without a record, as `/v1` does. Use it to import favorites from another system.',
    })
    acceptsLegacyValues: boolean,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Favorite>> {
    return addFavorite(context, userId, kind, subjectId, acceptsLegacyValues, selectedColumns(Favorite, info));
  }

  @allowWriters(Favorite)
  @Mutation(() => Favorite, {
    description:
      'Removes a favorite by its ID or its subject. Returns the removed favorite. NOT_FOUND if the user has no such favorite. BAD_INPUT unless exactly one of `id` and `subject` is set.',
  })
  removeFavorite(
    @Arg('id', () => ID, { nullable: true, description: 'ID of the favorite.' }) id: string | null,
    @Arg('subject', () => FavoriteSubjectInput, { nullable: true, description: 'Subject of the favorite.' })
    subject: FavoriteSubjectInput | null,
    @Arg('userId', () => ID, { nullable: true, description: userIdDescription }) userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Favorite>> {
    return removeFavorite(context, onBehalfOf(context, userId), { id, subject }, selectedColumns(Favorite, info));
  }

  @readsColumns('kind', 'subjectId')
  @FieldResolver(() => Tournament, { nullable: true, description: 'Favorite tournament. Null for other kinds.' })
  tournament(
    @Root() favorite: Pick<Favorite, 'kind' | 'subjectId'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): MaybeRow<Tournament> {
    return loadSubject(Tournament, 'TOURNAMENT', favorite, context, info);
  }

  @readsColumns('kind', 'subjectId')
  @FieldResolver(() => League, { nullable: true, description: 'Favorite league. Null for other kinds.' })
  league(
    @Root() favorite: Pick<Favorite, 'kind' | 'subjectId'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): MaybeRow<League> {
    return loadSubject(League, 'LEAGUE', favorite, context, info);
  }

  @readsColumns('kind', 'subjectId')
  @FieldResolver(() => Club, { nullable: true, description: 'Favorite club. Null for other kinds.' })
  club(
    @Root() favorite: Pick<Favorite, 'kind' | 'subjectId'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): MaybeRow<Club> {
    return loadSubject(Club, 'CLUB', favorite, context, info);
  }

  @readsColumns('kind', 'subjectId')
  @FieldResolver(() => Game, {
    nullable: true,
    description: 'Favorite game. Null for other kinds, and if the caller cannot see the game.',
  })
  game(
    @Root() favorite: Pick<Favorite, 'kind' | 'subjectId'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): MaybeRow<Game> {
    return loadSubject(Game, 'GAME', favorite, context, info);
  }
}
