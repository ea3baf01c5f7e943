import pg from 'pg';
import type { DirectConnection, Pools } from '../../../kernel/pools.js';
import { pingStatement, tryLockStatement } from './leader-lock-sql.js';

/** Lock that at most one process per database holds. */
export interface LeaderLock {
  /** Whether this process holds the lock. */
  readonly isHeld: boolean;
  /** Tries to acquire the lock, or checks that this process still holds it. Returns false once the connection is lost. */
  check(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens a dedicated connection for the leader lock. `connection` must bypass transaction poolers, because the lock belongs to a database
 * session.
 */
export async function openLeaderLock(pools: Pools, connection: DirectConnection | null): Promise<LeaderLock> {
  const { options } = await pools.pool();
  const client = new pg.Client({
    ...options,
    ...(connection ?? { password: options.password }),
    application_name: 'courtside webhooks',
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    keepAlive: true,
  });
  let isHeld = false;
  let isOpen = true;
  const markLost = () => {
    isOpen = isHeld = false;
  };
  client.on('error', markLost);
  client.on('end', markLost);
  await client.connect().catch((error: unknown) => {
    client.end().catch(() => undefined);
    throw error;
  });
  return {
    get isHeld() {
      return isHeld;
    },
    async check() {
      if (!isOpen) return false;
      try {
        if (isHeld) await client.query(pingStatement);
        else {
          const { isTaken } = (await client.query(tryLockStatement)).rows[0];
          isHeld = isTaken === true;
          // The server is a standby. Callers must open a new connection, which can reach the primary.
          if (isTaken === null) markLost();
        }
        return isOpen;
      } catch {
        markLost();
        return false;
      }
    },
    async close() {
      markLost();
      await client.end().catch(() => undefined);
    },
  };
}
