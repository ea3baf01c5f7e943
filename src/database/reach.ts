import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { StartProblem } from '../start-problem.js';

/** Makes sure that the database can be used: that it answers, lets us in, is new enough and may be written to. */
export async function reach(url: string): Promise<void> {
  const { version, readonly } = await ask(url);
  if (version < 160_000) {
    throw new StartProblem(
      `Courtside needs PostgreSQL 16 or newer, and DATABASE_URL leads to ${Math.floor(version / 10_000)}: upgrade it.`,
    );
  }
  if (readonly)
    throw new StartProblem(
      'DATABASE_URL leads to a server that only reads: name the primary, and its replicas in DATABASE_REPLICA_URLS.',
    );
}

async function ask(url: string): Promise<{ version: number; readonly: boolean }> {
  for (let attempt = 1; ; attempt++) {
    const client = clientOf(url);
    try {
      await client.connect();
      const { rows } = await client.query(
        "select current_setting('server_version_num')::int as version, current_setting('transaction_read_only') = 'on' as readonly",
      );
      return rows[0];
    } catch (error) {
      const code = codeOf(error);
      const attempts = code === startingUp ? 60 : isTimeout(error) ? 2 : 1;
      if (attempt >= attempts) throw new StartProblem(sentence(code, error, client));
      await sleep(500);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function clientOf(url: string): Client {
  try {
    // A connection that is cut while it ends says so here, and must not end the process.
    return new Client({ connectionString: url, connectionTimeoutMillis: 10_000 }).on('error', () => undefined);
  } catch {
    throw new StartProblem(
      'DATABASE_URL cannot be read: write it as postgresql://user:password@host:5432/database, special characters percent-encoded.',
    );
  }
}

const startingUp = '57P03';

/** On a busy machine the timer can fire although the server has answered. A second attempt shows whether the server answers. */
const isTimeout = (error: unknown): boolean => error instanceof Error && error.message.includes('timeout expired');

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

function sentence(code: string, error: unknown, { host, port, user, database }: Client): string {
  const server = `${host}:${port}`;
  switch (code) {
    case 'ECONNREFUSED':
      return `No PostgreSQL answers at ${server}: start it, or correct DATABASE_URL.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${host} of DATABASE_URL is not known: correct DATABASE_URL.`;
    case '28P01':
    case '28000':
      return `PostgreSQL at ${server} does not let ${user} in: correct user and password in DATABASE_URL.`;
    case '3D000':
      return `The database ${database} does not exist at ${server}: create it, or correct DATABASE_URL.`;
    default:
      return `PostgreSQL at ${server} cannot be used (${error instanceof Error ? error.message : error}): check DATABASE_URL.`;
  }
}
