import type { Client } from 'pg';

/** SQL for the value of a column in row `i`, keyed by column type. `tables` can override it. */
const byType: Record<string, (column: string) => string> = {
  text: (column) => `'${column} ' || i`,
  boolean: () => 'i % 2 = 0',
  integer: () => 'i % 100',
  'double precision': () => 'i / 4.0',
  numeric: () => 'i / 4.0',
  'timestamp with time zone': () => `timestamptz '2026-01-01' + i * interval '1 hour'`,
};

export const tournamentCount = 5_000;
export const clubCount = 100;

const id = (letter: string, number: string) => `'${letter}' || lpad((${number})::text, 5, '0')`;

/** Number of rows per table, and columns with specific values: keys, relations, and values that must be consistent. */
const tables: Record<string, { rows: number; columns: Record<string, string> }> = {
  app_user: { rows: 5_000, columns: { id: id('u', 'i'), is_super_admin: 'false' } },
  tournament: {
    rows: tournamentCount,
    columns: {
      id: id('t', 'i'),
      club_id: id('c', `1 + i % ${clubCount}`),
      time_zone: `'America/Chicago'`,
      location_latitude: 'i / 10.0',
      approvals: `'[{"governingBodyId": "8", "status": "Approved", "sanctionLevelId": "3"}]'`,
    },
  },
  team: {
    rows: 10 * tournamentCount,
    columns: {
      id: id('m', 'i'),
      tournament_id: id('t', `1 + i % ${tournamentCount}`),
      player_one_id: id('u', '1 + (i + i / 5000 * 37) % 5000'),
      player_two_id: id('u', '1 + (i * 7 + i / 5000 * 11) % 5000'),
      ranking: '1 + i % 100',
      seed: '1 + i % 64',
    },
  },
  tournament_referee: {
    rows: 5 * tournamentCount,
    columns: {
      id: id('r', 'i'),
      tournament_id: id('t', `1 + i % ${tournamentCount}`),
      user_id: id('u', '1 + (i * 3 + i / 5000) % 5000'),
    },
  },
};

/** Fills the tables of the workloads: 5,000 tournaments of 100 clubs, 50,000 teams, 5,000 users and 25,000 referees. All fields are set. */
export async function loadRows(client: Client): Promise<void> {
  for (const [table, { rows, columns }] of Object.entries(tables)) {
    const { rows: known } = await client.query<{ name: string; type: string }>(
      `select column_name as name, data_type as type from information_schema.columns where table_schema = 'public' and table_name = $1`,
      [table],
    );
    const filled = known.flatMap(({ name, type }) => {
      const value = columns[name] ?? byType[type]?.(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    await client.query(
      `insert into ${table} (${filled.map(([name]) => name).join(', ')})
       select ${filled.map(([, value]) => value).join(', ')} from generate_series(1, ${rows}) i`,
    );
  }
  await client.query('vacuum analyze');
}
