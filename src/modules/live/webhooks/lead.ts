import pg from 'pg';
import type { Pools } from '../../../kernel/session.js';
import { isAlive, takeLead } from './lead-sql.js';

/** A try for the lead: one of the processes on a database has it, and another one when that is gone. */
export interface Leadership {
  /** Whether this process has it. */
  readonly isTaken: boolean;
  /** Tries again, or sees whether it still has it; false once it is lost. */
  look(): Promise<boolean>;
  end(): Promise<void>;
}

/** Opens a connection of its own for it, as long as there is something to lead. `url` is where sessions last, past poolers. */
export async function openLeadership(pools: Pools, url: string | null): Promise<Leadership> {
  const { options } = await pools.pool();
  const client = new pg.Client({
    ...options,
    ...(url ? { connectionString: url } : { password: options.password }),
    application_name: 'courtside webhooks',
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    keepAlive: true,
  });
  let isTaken = false;
  let isOpen = true;
  const lose = () => {
    isOpen = isTaken = false;
  };
  client.on('error', lose);
  client.on('end', lose);
  await client.connect().catch((error: unknown) => {
    client.end().catch(() => undefined);
    throw error;
  });
  return {
    get isTaken() {
      return isTaken;
    },
    async look() {
      if (!isOpen) return false;
      try {
        if (isTaken) await client.query(isAlive);
        else isTaken = (await client.query(takeLead)).rows[0]?.isTaken === true;
        return isOpen;
      } catch {
        lose();
        return false;
      }
    },
    async end() {
      lose();
      await client.end().catch(() => undefined);
    },
  };
}
