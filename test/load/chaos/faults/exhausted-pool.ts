import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startPostgres } from '../../../support/servers/crashable-postgres.js';
import type { Fault } from '../scene.js';
import { sendRequest } from '../workload.js';

const seconds = 10;
const poolSize = 3;

async function connectionsOf(client: Client): Promise<number> {
  const { rows } = await client.query(
    `select count(*)::int as count from pg_stat_activity where application_name <> 'courtside messaging'
       and backend_type = 'client backend' and pid <> pg_backend_pid() and datname = current_database()`,
  );
  return rows[0].count;
}

/** A lock blocks every connection of a small pool, and many more requests wait for a connection. */
export const exhaustedPool: Fault = {
  name: 'all connections are taken',
  async inject(open) {
    const scene = await open((directory) => startPostgres(directory));
    const service = await scene.start({ DATABASE_POOL: String(poolSize) });
    const other = new Client({ connectionString: scene.postgres.url });
    await other.connect();
    scene.resources.add(() => other.end());
    const workload = scene.work(() => [service.origin], { writers: 24, readers: 24 });
    await sleep(2_000);
    scene.checkCounts(workload);
    await other.query('begin; lock table tournament in access exclusive mode');
    const until = performance.now() + seconds * 1000;
    let [healthy, connections] = [0, 0];
    while (performance.now() < until) {
      const startedAt = performance.now();
      const live = await sendRequest(service.origin, { path: '/livez' });
      scene.promise(live?.status === 200, `/livez responded with ${live?.status}`);
      healthy = Math.max(healthy, performance.now() - startedAt);
      connections = Math.max(connections, await connectionsOf(other));
      await sleep(200);
    }
    const during = scene.checkCounts(workload);
    scene.promise(during.refused > 0, 'no response asked for a retry');
    await other.query('rollback');
    const recovery = await scene.recovered(service.origin, 8);
    await workload.stop();
    scene.checkCounts(workload);
    scene.promise(healthy < 1_000, `/livez took ${Math.round(healthy)} ms`);
    scene.promise(connections === poolSize, `${connections} connections were open: ${poolSize} were allowed`);
    return `48 concurrent requests, ${connections} connections, locked for ${seconds} s, /livez within ${Math.round(healthy)} ms, writes again after ${recovery.toFixed(1)} s; ${await scene.counted()}`;
  },
};
