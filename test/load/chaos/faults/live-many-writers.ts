import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../../support/servers/crashable-postgres.js';
import { liveIn } from '../live/scene.js';
import type { Fault } from '../scene.js';

const seconds = 20;

/** Twenty clients write one record through two processes. Other transactions lock it for a while and are often disconnected. */
export const liveManyWriters: Fault = {
  name: 'live: twenty clients write one record',
  async inject(open) {
    const scene = await open((directory) => startPostgres(directory));
    const services = [await scene.start(), await scene.start()];
    const live = await liveIn(scene, () => services.map(({ origin }) => origin));
    await sleep(seconds * 1000);
    return `for ${seconds} s; ${await live.counted(120)}`;
  },
};
