import { Pools } from '../kernel/pools.js';
import { type ConnectionOptions, openOrm } from './orm.js';
import type { Timeouts } from './timeouts.js';

/** Maximum number of background connections per process. */
const poolSize = 3;

/**
 * Background connections, separate from the request pool, which can be full of writers that wait for each other. Opened on first
 * use.
 */
export function backgroundPools(options: Omit<ConnectionOptions, 'pool'>, timeouts: Timeouts) {
  let cached: { orm: ReturnType<typeof openOrm>; pools: Pools } | null = null;
  return {
    pools(): Pools {
      if (cached) return cached.pools;
      const orm = openOrm({ ...options, pool: poolSize, isLazy: true });
      void orm.applyTimeouts(timeouts).catch(() => undefined);
      const pools = new Pools(orm);
      cached = { orm, pools };
      // Opens a connection in advance, so that the first change is delivered without delay.
      void Promise.resolve(pools.pool())
        .then((pool) => pool.query('select'))
        .catch(() => undefined);
      return pools;
    },
    close: async (): Promise<void> => cached?.orm.close(true),
  };
}
