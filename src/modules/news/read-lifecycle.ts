import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import { lifecycle } from './lifecycle.js';

/** The lifecycle of a news item; those of a whole list are read in one statement, by the definition that the filter uses too. */
export const readLifecycle = ({ loaders, sql }: Context, id: string): Promise<string> =>
  loaders.batch('lifecycle of news', async (ids) => {
    const rows = await sql.run(
      sql.db
        .selectFrom('news_item as r')
        .select(['r.id', raw<string>`${raw.raw(lifecycle)}`.as('state')])
        .where(raw<SqlBool>`r.id = any(${ids})`),
    );
    const states = new Map(rows.map(({ id, state }) => [id, state]));
    return ids.map((key) => states.get(key) ?? 'ARCHIVED');
  })(id);
