import { Pools } from '../kernel/pools.js';
import { connectionCounts } from '../process/connection-counts.js';
import { type ConnectionOptions, openOrm } from './orm.js';
import type { Timeouts } from './timeouts.js';

/**
 * Creates the pools for background work on first use. These pools are separate from the request pool, where writers that wait for each
 * other can occupy all connections.
 */
export function backgroundPools(options: Omit<ConnectionOptions, 'pool'>, timeouts: Timeouts) {
  let cached: { orm: ReturnType<typeof openOrm>; pools: Pools } | null = null;
  return {
    pools(): Pools {
      if (cached) return cached.pools;
      const orm = openOrm({ ...options, pool: connectionCounts.background, isLazy: true });
      void orm.applyTimeouts(timeouts).catch(() => undefined);
      const pools = new Pools(orm);
      cached = { orm, pools };
      // Opens a connection in advance, to deliver the first change without delay.
      void Promise.resolve(pools.pool())
        .then((pool) => pool.query('select'))
        .catch(() => undefined);
      return pools;
    },
    close: async (): Promise<void> => cached?.orm.close(true),
  };
}
