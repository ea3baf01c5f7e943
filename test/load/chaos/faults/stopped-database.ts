import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../../support/servers/crashable-postgres.js';
import type { Fault } from '../scene.js';

const seconds = 15;

/** All PostgreSQL processes freeze and later continue. */
export const stoppedDatabase: Fault = {
  name: 'the database is paused',
  async inject(open) {
    const scene = await open((directory) => startPostgres(directory));
    const service = await scene.start();
    const workload = scene.work(() => [service.origin], { writers: 8, readers: 8 });
    await sleep(2_000);
    await scene.postgres.signal('SIGSTOP');
    try {
      scene.checkCounts(workload);
      await sleep(seconds * 1000);
      const during = scene.checkCounts(workload);
      scene.promise(during.refused > 0, 'no response asked for a retry');
    } finally {
      await scene.postgres.signal('SIGCONT');
    }
    const recovery = await scene.recovered(service.origin, 8);
    await workload.stop();
    scene.checkCounts(workload);
    return `for ${seconds} s, writes again after ${recovery.toFixed(1)} s; ${await scene.counted()}`;
  },
};
