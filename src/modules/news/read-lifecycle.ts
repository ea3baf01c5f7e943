import type { Context } from '../../kernel/context.js';
import { lifecycle } from './lifecycle.js';

/** The lifecycle of a news item; those of a whole list are read in one statement, by the definition that the filter uses too. */
export const readLifecycle = ({ loaders, sql }: Context, id: string): Promise<string> =>
  loaders.batch('lifecycle of news', async (ids) => {
    const rows = await sql.rows<{ id: string; state: string }>(
      `select r.id, ${lifecycle} as state from news_item r where r.id = any($1)`,
      [ids],
    );
    const states = new Map(rows.map(({ id, state }) => [id, state]));
    return ids.map((key) => states.get(key) ?? 'ARCHIVED');
  })(id);
