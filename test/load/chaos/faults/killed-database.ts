import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../../support/servers/crashable-postgres.js';
import type { Fault } from '../scene.js';

const kills = 3;

/** All PostgreSQL processes are killed. The server is restarted three seconds later. */
export const killedDatabase: Fault = {
  name: 'the database is killed',
  async inject(open) {
    const scene = await open((directory) => startPostgres(directory));
    const service = await scene.start();
    const workload = scene.work(() => [service.origin]);
    let recovery = 0;
    for (let kill = 0; kill < kills; kill++) {
      await scene.register(service.origin, 3);
      await sleep(2_000);
      await scene.postgres.signal('SIGKILL');
      await sleep(3_000);
      await scene.postgres.restart();
      recovery = Math.max(recovery, await scene.recovered(service.origin, 8));
    }
    await workload.stop();
    scene.checkCounts(workload, { isKilled: true });
    scene.promise(service.isUp(), 'the service exited');
    return `${kills} kills, writes again after ${recovery.toFixed(1)} s; ${await scene.counted()}; ${await scene.delivered(20, { isKilled: true })}`;
  },
};
