import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../../support/servers/crashable-postgres.js';
import { liveIn } from '../live/scene.js';
import type { Fault } from '../scene.js';

/** Shutdown mode and downtime of each restart, in seconds. */
const restarts = [
  ['fast', 1],
  ['immediate', 1],
  ['immediate', 1],
  ['fast', 40],
] as const;

/** PostgreSQL is restarted, either after a regular shutdown or after a crash with recovery. The last downtime is long. */
export const liveRestartedDatabase: Fault = {
  name: 'live: the database is restarted',
  async inject(open) {
    const scene = await open((directory) => startPostgres(directory));
    const services = [await scene.start(), await scene.start()];
    const live = await liveIn(scene, () => services.map(({ origin }) => origin));
    for (const [mode, seconds] of restarts) {
      await sleep(2_000);
      await scene.postgres.shutDown(mode);
      await sleep(seconds * 1000);
      await scene.postgres.restart();
      await scene.recovered(services[0]?.origin ?? '', 8);
    }
    await sleep(2_000);
    for (const service of services) scene.promise(service.isUp(), 'a service exited');
    return `${restarts.map(([mode, seconds]) => `${mode} ${seconds} s`).join(', ')}; ${await live.counted(120)}`;
  },
};
