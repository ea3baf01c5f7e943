import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { fieldOnGeneratedType } from '../../../kernel/declare/fields/generated.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { allow, platform, user } from '../../../kernel/declare/policy/policy.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { listSelectionOf, selectedColumns } from '../../../kernel/read/select.js';
import { PageArguments } from '../../../kernel/serve/arguments.js';
import { connectionOf, type RecordConnection } from '../../../kernel/serve/connection.js';
import { NewsItem } from '../../news/news-item.js';
import { Reaction, ReactionCount, ReactionKind, reactionCountsOf } from './reaction.js';
import { reactionOf, reactionsTo } from './read-reactions.js';
import { react, unreact } from './save-reaction.js';

const userIdDescription = 'ID of the user. Defaults to the signed-in user. Only platforms can specify another user.';

@Resolver()
export class ReactionResolver {
  @allow(platform, user)
  @Query(() => connectionOf(Reaction), {
    nullable: true,
    description: 'Reactions to a news item, newest first. Null if the news item is not found.',
  })
  newsReactions(
    @Arg('newsItemId', () => ID, { description: 'ID of the news item.' }) newsItemId: string,
    @Arg('kind', () => ReactionKind, { nullable: true, description: 'Kind of the reactions. Defaults to all kinds.' })
    kind: ReactionKind | null,
    @Args(() => PageArguments) part: PageArguments,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RecordConnection | null> {
    return reactionsTo(context, newsItemId, kind, part, listSelectionOf(Reaction, info));
  }

  @allowWriters(Reaction)
  @Mutation(() => Reaction, {
    description: 'Reacts to a news item. A user has one reaction per item. A new reaction replaces the previous one.',
  })
  react(
    @Arg('newsItemId', () => ID, { description: 'ID of the news item.' }) newsItemId: string,
    @Arg('kind', () => ReactionKind, { description: 'Kind of the reaction.' }) kind: ReactionKind,
    @Arg('userId', () => ID, { nullable: true, description: userIdDescription }) userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Reaction>> {
    return react(context, onBehalfOf(context, userId), newsItemId, kind, selectedColumns(Reaction, info));
  }

  @allowWriters(Reaction)
  @Mutation(() => Reaction, {
    nullable: true,
    description:
      'Removes the reaction of a user to a news item. Returns the removed reaction. Null if the user had not reacted to it.',
  })
  unreact(
    @Arg('newsItemId', () => ID, { description: 'ID of the news item.' }) newsItemId: string,
    @Arg('userId', () => ID, { nullable: true, description: userIdDescription }) userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Reaction> | null> {
    return unreact(context, onBehalfOf(context, userId), newsItemId, selectedColumns(Reaction, info));
  }
}

/** Reaction fields of news items. */
@Resolver(() => NewsItem)
export class NewsReactions {
  @readsColumns('id')
  @FieldResolver(() => [ReactionCount], {
    nullable: true,
    description:
      'Number of reactions per kind, including kinds without reactions. Null only in federated requests, after a mutation has deleted the news item.',
  })
  async reactionCounts(@Root() { id }: Pick<NewsItem, 'id'>, @Ctx() { loaders }: Context): Promise<ReactionCount[]> {
    return reactionCountsOf(await loaders.countByValue(Reaction, 'kind', null, 'newsItemId', id));
  }

  @readsColumns('id')
  @FieldResolver(() => Reaction, {
    nullable: true,
    description: 'Reaction of the signed-in user. Null if the user has not reacted.',
  })
  viewerReaction(
    @Root() { id }: Pick<NewsItem, 'id'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Reaction> | null> | null {
    const { user } = context.caller;
    return user && reactionOf(context, user.id, id, selectedColumns(Reaction, info));
  }

  @allow(platform, user)
  @readsColumns('id')
  @FieldResolver(() => Reaction, {
    nullable: true,
    description: 'Reaction of a user. Null if the user has not reacted.',
  })
  reactionOf(
    @Root() { id }: Pick<NewsItem, 'id'>,
    @Arg('userId', () => ID, { description: 'ID of the user.' }) userId: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Reaction> | null> {
    return reactionOf(context, userId, id, selectedColumns(Reaction, info));
  }
}

/** Field `counts` for lists of reactions. */
export const reactionCountsField = fieldOnGeneratedType<RecordConnection>({
  on: connectionOf(Reaction),
  name: 'counts',
  type: () => [ReactionCount],
  description: 'Number of reactions per kind in the entire list, including kinds without reactions.',
  resolve: async (connection) => reactionCountsOf(await connection.countByValue('kind')),
});
