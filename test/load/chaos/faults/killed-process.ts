import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../../src/process/port.js';
import { startPostgres } from '../../../support/servers/crashable-postgres.js';
import type { Fault } from '../scene.js';

const kills = 4;

/** The process is killed under load and restarted. */
export const killedProcess: Fault = {
  name: 'the service is killed',
  async inject(open) {
    const scene = await open((directory) => startPostgres(directory));
    const variables = { PORT: String(await freePort()) };
    let service = await scene.start(variables);
    const workload = scene.work(() => [service.origin]);
    for (let kill = 0; kill < kills; kill++) {
      await scene.register(service.origin, 5);
      await sleep(2_000);
      service.signal('SIGKILL');
      await service.stop();
      service = await scene.start(variables);
    }
    await sleep(1_000);
    await workload.stop();
    const counts = scene.checkCounts(workload, { isKilled: true });
    scene.promise(service.isUp(), 'the service exited');
    return `${kills} kills, ${counts.brokenConnections} connections broken; ${await scene.counted()}; ${await scene.delivered(20, { isKilled: true })}`;
  },
};
