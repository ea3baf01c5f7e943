import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../../src/process/port.js';
import { startPostgres } from '../../../support/servers/crashable-postgres.js';
import { liveIn } from '../live/scene.js';
import type { Fault } from '../scene.js';

const kills = 4;

/** One of two processes is killed with open transactions and streams, and restarted. */
export const liveKilledProcess: Fault = {
  name: 'live: a process with open streams is killed',
  async inject(open) {
    const scene = await open((directory) => startPostgres(directory));
    const variables = [{ PORT: String(await freePort()) }, { PORT: String(await freePort()) }];
    const services = [await scene.start(variables[0]), await scene.start(variables[1])];
    const live = await liveIn(scene, () => services.map(({ origin }) => origin));
    for (let kill = 0; kill < kills; kill++) {
      await sleep(2_000);
      const processIndex = kill % 2;
      services[processIndex]?.signal('SIGKILL');
      await services[processIndex]?.stop();
      services[processIndex] = await scene.start(variables[processIndex]);
    }
    await sleep(2_000);
    return `${kills} kills; ${await live.counted(120)}`;
  },
};
