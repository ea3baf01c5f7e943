import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/options.js';
import { allow, visitor } from '../../kernel/declare/policy.js';
import { needs } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { writes } from '../../kernel/declare/writes.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { inputOf } from '../../kernel/write/input.js';
import { update } from '../../kernel/write/save.js';
import { NewsLifecycle } from './lifecycle.js';
import { NewsItem } from './news-item.js';
import { readLifecycle } from './read-lifecycle.js';

@Resolver(() => NewsItem)
export class NewsItemResolver {
  @allow(visitor)
  @Query(() => NewsItem, { nullable: true, description: 'One news item by the address of its page; null when there is none.' })
  newsItemBySlug(
    @Arg('slug', () => String, { description: 'Its slug.' }) slug: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<NewsItem> | null> {
    return context.loaders.one(NewsItem, columnsWanted(NewsItem, info), slug, 'slug');
  }

  @writes(NewsItem)
  @Mutation(() => NewsItem, {
    description: 'Changes the fields given of a news item, the slug excepted, which stays; NOT_FOUND for an unknown id.',
  })
  updateNewsItem(
    @Arg('id', () => ID, { description: 'Id of the news item.' }) id: string,
    @Arg('input', () => inputOf(NewsItem), { description: 'Its values.' }) { slug: _, ...input }: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<NewsItem>> {
    return update(context, NewsItem, id, input, columnsWanted(NewsItem, info));
  }

  @needs('id')
  @FieldResolver(() => NewsLifecycle, {
    description: 'Where it stands between draft and archive, by its schedule and the clock of the database.',
  })
  lifecycle(@Root() { id }: Pick<NewsItem, 'id'>, @Ctx() context: Context): Promise<string> {
    return readLifecycle(context, id);
  }
}
