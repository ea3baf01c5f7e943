import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { addedField } from '../../kernel/declare/generated.js';
import { onBehalfOf } from '../../kernel/declare/on-behalf-of.js';
import { allow, platform, user } from '../../kernel/declare/policy.js';
import { needs } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { writes } from '../../kernel/declare/writes.js';
import { columnsWanted, wantedOf } from '../../kernel/read/select.js';
import { connectionOf, type RecordConnection } from '../../kernel/serve/connection.js';
import { PartArguments } from '../../kernel/serve/list-arguments.js';
import { NewsItem } from '../news/news-item.js';
import { react, unreact } from './react.js';
import { Reaction } from './reaction.js';
import { countsOf, ReactionCount } from './reaction-count.js';
import { ReactionKind } from './reaction-kind.js';
import { reactionOf } from './reaction-of.js';
import { reactionsTo } from './reactions-to.js';

const reacting = 'Who reacts: the signed-in user unless a platform names another one.';

@Resolver()
export class ReactionResolver {
  @allow(platform, user)
  @Query(() => connectionOf(Reaction), {
    nullable: true,
    description: 'The reactions to one news item, of one kind or of all, newest first; null when there is no such item.',
  })
  newsReactions(
    @Arg('newsItemId', () => ID, { description: 'The news item.' }) newsItemId: string,
    @Arg('kind', () => ReactionKind, { nullable: true, description: 'Only this kind.' }) kind: ReactionKind | null,
    @Args(() => PartArguments) part: PartArguments,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RecordConnection | null> {
    return reactionsTo(context, newsItemId, kind, part, wantedOf(Reaction, info));
  }

  @writes(Reaction)
  @Mutation(() => Reaction, {
    description: 'Reacts to a news item. A user has one reaction an item: a new one replaces the one before.',
  })
  react(
    @Arg('newsItemId', () => ID, { description: 'The news item.' }) newsItemId: string,
    @Arg('kind', () => ReactionKind, { description: 'How.' }) kind: ReactionKind,
    @Arg('userId', () => ID, { nullable: true, description: reacting }) userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Reaction>> {
    return react(context, onBehalfOf(context, userId), newsItemId, kind, columnsWanted(Reaction, info));
  }

  @writes(Reaction)
  @Mutation(() => Reaction, {
    nullable: true,
    description: 'Takes a reaction to a news item back and returns it as it was; null when there was none.',
  })
  unreact(
    @Arg('newsItemId', () => ID, { description: 'The news item.' }) newsItemId: string,
    @Arg('userId', () => ID, { nullable: true, description: reacting }) userId: string | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Reaction> | null> {
    return unreact(context, onBehalfOf(context, userId), newsItemId, columnsWanted(Reaction, info));
  }
}

/** Reactions as news show them. */
@Resolver(() => NewsItem)
export class NewsReactions {
  @needs('id')
  @FieldResolver(() => [ReactionCount], {
    nullable: true,
    description:
      'How many users react in each way: all kinds, those without a reaction too. Null where a mutation has just deleted the news item and a router asks.',
  })
  async reactionCounts(@Root() { id }: Pick<NewsItem, 'id'>, @Ctx() { loaders }: Context): Promise<ReactionCount[]> {
    return countsOf(await loaders.tally(Reaction, 'kind', null, 'newsItemId', id));
  }

  @needs('id')
  @FieldResolver(() => Reaction, { nullable: true, description: "The signed-in user's reaction; null without one." })
  viewerReaction(
    @Root() { id }: Pick<NewsItem, 'id'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Reaction> | null> | null {
    const { user } = context.caller;
    return user && reactionOf(context, user.id, id, columnsWanted(Reaction, info));
  }

  @allow(platform, user)
  @needs('id')
  @FieldResolver(() => Reaction, {
    nullable: true,
    description: "A user's reaction; null without one.",
  })
  reactionOf(
    @Root() { id }: Pick<NewsItem, 'id'>,
    @Arg('userId', () => ID, { description: 'The user.' }) userId: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Reaction> | null> {
    return reactionOf(context, userId, id, columnsWanted(Reaction, info));
  }
}

/** What a list of reactions tells of itself. */
export const reactionTotals = addedField<RecordConnection>({
  on: connectionOf(Reaction),
  name: 'counts',
  type: () => [ReactionCount],
  description: 'How often each kind stands in the whole list: all kinds, absent ones too.',
  resolve: async (connection) => countsOf(await connection.tally('kind')),
});
