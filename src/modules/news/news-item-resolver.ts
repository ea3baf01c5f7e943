import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, visitor } from '../../kernel/declare/policy.js';
import { needs } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { columnsWanted } from '../../kernel/read/select.js';
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

  @needs('id')
  @FieldResolver(() => NewsLifecycle, {
    description: 'Where it stands between draft and archive, by its schedule and the clock of the database.',
  })
  lifecycle(@Root() { id }: Pick<NewsItem, 'id'>, @Ctx() context: Context): Promise<string> {
    return readLifecycle(context, id);
  }
}
