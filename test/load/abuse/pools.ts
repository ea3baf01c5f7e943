import type { Pool } from 'pg';
import type { Draw } from './draw.js';

/** IDs of the first rows of each table. Two runs on the same season therefore draw the same rows. */
export interface Pools {
  /** IDs, grouped by table. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** IDs of the owners, keyed by row ID. Rows without an owner are omitted. */
  readonly owners: ReadonlyMap<string, string>;
}

const perTable = 12;

/** Reads the rows, except the rows of the callers, because most requests would otherwise affect the callers. */
export async function readPools(database: Pool): Promise<Pools> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
  );
  const ids = new Map<string, string[]>();
  const owners = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await database.query<{ id: string }>(
      `select id::text from "${name}" where id::text not like 'abuse-%' order by id::text limit ${perTable}`,
    );
    const { rows: owned } = await database
      .query<{ id: string; owner: string }>(
        `select id::text, user_id as owner from "${name}" where user_id is not null and id::text = any($1)`,
        [rows.map(({ id }) => id)],
      )
      .catch(() => ({ rows: [] }));
    for (const { id, owner } of owned) owners.set(id, owner);
    if (rows.length)
      ids.set(
        name,
        rows.map(({ id }) => id),
      );
  }
  return { ids, owners };
}

const wordsOf = (hint: string): Set<string> =>
  new Set(
    hint
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z]+/)
      .map((word) => word.replace(/ies$/, 'y').replace(/(?<=ch|sh|x)es$|s$/, '')),
  );

/** Tables to which words in value names refer, keyed by word. Only for words that differ from the name of the table. */
const synonyms: Readonly<Record<string, string>> = {
  player: 'app_user',
  user: 'app_user',
  owner: 'app_user',
  author: 'app_user',
  image: 'user_image',
};

/** Returns an ID for the value or path that `hints` name. It is usually the ID of a matching record, and sometimes the ID of any record. */
export function idFor(draw: Draw, pools: Pools, ...hints: readonly string[]): string {
  const names = [...pools.ids.keys()];
  for (const hint of hints) {
    const words = wordsOf(hint);
    const direct = names.filter((name) => name.split('_').every((word) => words.has(word)));
    const meant = [...direct, ...Object.entries(synonyms).flatMap(([word, name]) => (words.has(word) ? [name] : []))];
    const longest = meant.sort((one, other) => other.length - one.length)[0];
    if (longest && draw.chance(0.9)) return draw.pick(pools.ids.get(longest) ?? ['x']);
  }
  return draw.pick(pools.ids.get(draw.pick(names)) ?? ['x']);
}
