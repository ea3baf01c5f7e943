import { Gauge, type Registry } from 'prom-client';
import { cacheSizes } from '../kernel/caches.js';
import { type Pools, Session } from '../kernel/session.js';
import { countJobs } from '../messaging/job-counts-sql.js';

/** Adds gauges of connection pools, jobs and caches. They are read on each scrape. */
export function addGauges(registers: Registry[], pools: Pools): void {
  new Gauge({
    name: 'courtside_pool_connections',
    help: 'Connections to each database, and requests that wait for a connection.',
    labelNames: ['database', 'state'],
    registers,
    collect() {
      this.reset();
      for (const { database, pool } of pools.openPools()) {
        this.set({ database, state: 'total' }, pool.totalCount);
        this.set({ database, state: 'idle' }, pool.idleCount);
        this.set({ database, state: 'waiting' }, pool.waitingCount);
      }
    },
  });
  new Gauge({
    name: 'courtside_jobs',
    help: 'Jobs in the database by queue and state: waiting, active, failed (will be retried) and dead.',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      // An unavailable database does not affect the other metrics.
      const counts = await countJobs(new Session(pools, 'write')).catch(() => null);
      this.reset();
      for (const { queue, state, count } of counts ?? []) this.set({ queue, state }, count);
    },
  });
  new Gauge({
    name: 'courtside_cache_entries',
    help: 'Entries of in-memory caches.',
    labelNames: ['cache'],
    registers,
    collect() {
      this.reset();
      for (const { name, entries } of cacheSizes()) this.inc({ cache: name }, entries);
    },
  });
}
