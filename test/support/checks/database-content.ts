import { Client } from 'pg';
import { transferredTables } from '../../../src/transfer/tables.js';

const triggers = `select string_agg(tgrelid::regclass || '.' || tgname || ' ' || tgenabled::text, ', ' order by tgrelid::regclass::text, tgname)
  from pg_trigger where not tgisinternal`;

/** Returns a hash of the rows of each table, the sequences, and the triggers with their states. */
export async function contentOf(url: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const firstValue = async (query: string): Promise<string> =>
    String((await client.query({ text: query, rowMode: 'array' })).rows[0]?.[0]);
  try {
    const content: Record<string, string> = {
      triggers: await firstValue(triggers),
      changePosition: await firstValue("select concat_ws(' ', last_value, is_called) from change_position"),
      categoryNumber: await firstValue("select concat_ws(' ', last_value, is_called) from category_number"),
    };
    for (const table of transferredTables)
      content[table] = await firstValue(
        `select count(*) || ' ' || md5(string_agg(t::text, ' ' order by t::text)) from ${table} t`,
      );
    return content;
  } finally {
    await client.end();
  }
}
