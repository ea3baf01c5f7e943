import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import { expressionOf } from '../../kernel/statement.js';
import { lifecycle } from './lifecycle.js';

/** Lifecycle of a news item, by the same SQL as the filter. Batched for lists. */
export const readLifecycle = ({ loaders, sql }: Context, id: string): Promise<string> =>
  loaders.batchLoader('lifecycle of news', async (ids) => {
    const rows = await sql.run(
      sql.db
        .selectFrom('news_item as r')
        .select(['r.id', expressionOf<string>(lifecycle).as('state')])
        .where(raw<SqlBool>`r.id = any(${ids})`),
    );
    const states = new Map(rows.map(({ id, state }) => [id, state]));
    return ids.map((key) => states.get(key) ?? 'ARCHIVED');
  })(id);
