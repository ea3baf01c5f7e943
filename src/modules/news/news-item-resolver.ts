import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, visitor } from '../../kernel/declare/policy/policy.js';
import { readsColumns } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { selectedColumns } from '../../kernel/read/select.js';
import { NewsLifecycle } from './lifecycle.js';
import { NewsItem } from './news-item.js';
import { readLifecycle } from './read-lifecycle.js';

@Resolver(() => NewsItem)
export class NewsItemResolver {
  @allow(visitor)
  @Query(() => NewsItem, { nullable: true, description: 'The news item with this slug. Null if there is none.' })
  newsItemBySlug(
    @Arg('slug', () => String, { description: 'Slug of the news item.' }) slug: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<NewsItem> | null> {
    return context.loaders.loadRow(NewsItem, selectedColumns(NewsItem, info), slug, 'slug');
  }

  @readsColumns('id')
  @FieldResolver(() => NewsLifecycle, {
    description: 'Current state, computed from `archivedAt` and `siteSchedule`.',
  })
  lifecycle(@Root() { id }: Pick<NewsItem, 'id'>, @Ctx() context: Context): Promise<string> {
    return readLifecycle(context, id);
  }
}
