import type { Client } from 'pg';
import type { Dump } from './dump.js';

/** Most rows of a table, but for those that others lead to. */
const most = 120;
const tournaments = 8;

type Row = Readonly<Record<string, unknown>>;

/** A column that leads to rows of another table. */
interface Lead {
  readonly from: string;
  readonly column: string;
  readonly to: string;
  readonly key: string;
}

async function leadsOf(client: Client): Promise<Lead[]> {
  const { rows } = await client.query(`
    select conrelid::regclass::text as from, a.attname as column, confrelid::regclass::text as to, k.attname as key
    from pg_constraint join pg_attribute a on a.attrelid = conrelid and a.attnum = conkey[1]
      join pg_attribute k on k.attrelid = confrelid and k.attnum = confkey[1]
    where contype = 'f' and cardinality(conkey) = 1 and connamespace = 'public'::regnamespace`);
  return rows;
}

/** A small part of a dump that is as whole as all of it: some tournaments and what belongs to them, and everything that this leads to. */
export async function sampleOf(client: Client, dump: Dump): Promise<Dump> {
  const leads = await leadsOf(client);
  const all = dump.tables as Readonly<Record<string, readonly Row[]>>;
  const chosen = new Set(all.tournament?.slice(0, tournaments).map(({ id }) => id));
  const isOfChosen = (row: Row) => (row.tournament_id ?? null) === null || chosen.has(row.tournament_id);
  const sample: Record<string, Row[]> = {};
  for (const [table, rows] of Object.entries(all))
    sample[table] = table === 'tournament' ? rows.slice(0, tournaments) : rows.filter(isOfChosen).slice(0, most);
  const missing = ({ from, column, to, key }: Lead): Row[] => {
    const there = new Set(sample[to]?.map((row) => row[key]));
    const wanted = new Set(sample[from]?.map((row) => row[column]).filter((value) => value !== null && !there.has(value)));
    return all[to]?.filter((row) => wanted.has(row[key])) ?? [];
  };
  for (let isWhole = false; !isWhole; ) {
    isWhole = true;
    for (const lead of leads)
      for (const row of missing(lead)) {
        sample[lead.to]?.push(row);
        isWhole = false;
      }
  }
  return { ...dump, tables: sample };
}
