import { Pools } from '../kernel/pools.js';
import { type ConnectionOptions, openOrm } from './orm.js';
import type { Timeouts } from './timeouts.js';

/** So many connections a process, while it has something to tell. */
const few = 3;

/** Connections beside those of requests, whose pool may be full of writers that wait for each other; opened when they are asked for first. */
export function poolsAside(options: Omit<ConnectionOptions, 'pool'>, timeouts: Timeouts) {
  let opened: { orm: ReturnType<typeof openOrm>; pools: Pools } | null = null;
  return {
    pools(): Pools {
      if (opened) return opened.pools;
      const orm = openOrm({ ...options, pool: few, lazily: true });
      void orm.bound(timeouts).catch(() => undefined);
      const pools = new Pools(orm);
      opened = { orm, pools };
      // The first change that is told does not wait for the first connection.
      void Promise.resolve(pools.pool())
        .then((pool) => pool.query('select'))
        .catch(() => undefined);
      return pools;
    },
    close: async (): Promise<void> => opened?.orm.close(true),
  };
}
