import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import { expressionOf } from '../../kernel/statement.js';
import { lifecycle } from './lifecycle.js';

/** Reads the state of a news item with the same SQL expression as the filter. Batches the items of a list. */
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
