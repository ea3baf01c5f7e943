import type { Client } from 'pg';
import type { Dump } from './dump.js';

/** Maximum number of rows per table, in addition to rows that other rows reference. */
const maxRows = 40;
const tournamentCount = 8;

type Row = Readonly<Record<string, unknown>>;

interface ForeignKey {
  readonly table: string;
  readonly column: string;
  readonly referencedTable: string;
  readonly referencedColumn: string;
}

async function foreignKeysOf(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query(`
    select conrelid::regclass::text as "table", a.attname as "column",
      confrelid::regclass::text as "referencedTable", k.attname as "referencedColumn"
    from pg_constraint join pg_attribute a on a.attrelid = conrelid and a.attnum = conkey[1]
      join pg_attribute k on k.attrelid = confrelid and k.attnum = confkey[1]
    where contype = 'f' and cardinality(conkey) = 1 and connamespace = 'public'::regnamespace`);
  return rows;
}

/** Returns a consistent part of a dump: some tournaments, the rows that belong to them, and all rows to which these rows refer. */
export async function sampleOf(client: Client, dump: Dump): Promise<Dump> {
  const foreignKeys = await foreignKeysOf(client);
  const all = dump.tables as Readonly<Record<string, readonly Row[]>>;
  const tournamentIds = new Set(all.tournament?.slice(0, tournamentCount).map(({ id }) => id));
  const isOfSample = (row: Row) => (row.tournament_id ?? null) === null || tournamentIds.has(row.tournament_id);
  const sample: Record<string, Row[]> = {};
  for (const [table, rows] of Object.entries(all))
    sample[table] = table === 'tournament' ? rows.slice(0, tournamentCount) : rows.filter(isOfSample).slice(0, maxRows);
  const missingRows = ({ table, column, referencedTable, referencedColumn }: ForeignKey): Row[] => {
    const sampled = new Set(sample[referencedTable]?.map((row) => row[referencedColumn]));
    const referenced = new Set(sample[table]?.map((row) => row[column]).filter((value) => value !== null && !sampled.has(value)));
    return all[referencedTable]?.filter((row) => referenced.has(row[referencedColumn])) ?? [];
  };
  for (let isComplete = false; !isComplete; ) {
    isComplete = true;
    for (const foreignKey of foreignKeys)
      for (const row of missingRows(foreignKey)) {
        sample[foreignKey.referencedTable]?.push(row);
        isComplete = false;
      }
  }
  return { ...dump, tables: sample };
}
