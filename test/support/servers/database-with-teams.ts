import { Client } from 'pg';
import { type Database, freshDatabase } from './test-database.js';

/**
 * Creates a database with users `u1` …, tournaments `t1` … and teams `m1` …. Each team has two users. The teams are spread evenly over the
 * tournaments.
 */
export async function databaseWithTeams(counts: { users: number; tournaments: number; teams: number }): Promise<Database> {
  const { users, tournaments, teams } = counts;
  const database = await freshDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    insert into app_user (id, first_name, last_name, slug)
      select 'u' || n, 'First ' || n, 'Last ' || n, 'u-' || n from generate_series(1, ${users}) n;
    insert into tournament (id, title) select 't' || n, 'Tournament ' || n from generate_series(1, ${tournaments}) n;
    insert into team (id, tournament_id, player_one_id, player_two_id)
      select 'm' || n, 't' || 1 + n % ${tournaments}, 'u' || 1 + n % ${users}, 'u' || 1 + n * 7 % ${users} from generate_series(1, ${teams}) n`);
  await client.end();
  return database;
}
