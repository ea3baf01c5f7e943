import type { GraphQLResolveInfo } from 'graphql';
import { sql as raw, type SqlBool } from 'kysely';
import { Arg, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { mainRow } from '../../kernel/declare/expression.js';
import { allow, visitor } from '../../kernel/declare/policy/policy.js';
import { readsColumns } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row.js';
import { selectedColumns } from '../../kernel/read/select.js';
import { lifecycle, NewsLifecycle } from './lifecycle.js';
import { NewsItem } from './news-item.js';

/** Reads the state of a news item with the same SQL expression as the filter. Batches the reads for all items of a list. */
const readLifecycle = ({ loaders, sql }: Context, id: string): Promise<string> =>
  loaders.batchLoader('lifecycle of news', async (ids) => {
    const rows = await sql.run(
      sql.db
        .selectFrom('news_item as r')
        .select(['r.id', lifecycle(mainRow).typed<string>().as('state')])
        .where(raw<SqlBool>`r.id = any(${ids})`),
    );
    const states = new Map(rows.map(({ id, state }) => [id, state]));
    return ids.map((key) => states.get(key) ?? 'ARCHIVED');
  })(id);

@Resolver(() => NewsItem)
export class NewsItemResolver {
  @allow(visitor)
  @Query(() => NewsItem, { nullable: true, description: 'News item with the given slug. Null if not found.' })
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
