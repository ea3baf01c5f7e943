import { setTimeout as sleep } from 'node:timers/promises';
import { fill } from '../../../support/servers/crashable-postgres.js';
import { type Replicated, startReplicated } from '../../../support/servers/replicated-postgres.js';
import { liveIn } from '../live/scene.js';
import type { Fault } from '../scene.js';

const seconds = 10;

/** Subscribers are connected to a process that reads from a replica, which pauses its replay. */
export const liveLaggingReplica: Fault = {
  name: 'live: a replica lags behind the notifications',
  async inject(open) {
    const scene = await open(async (directory): Promise<Replicated & { url: string }> => {
      const servers = await startReplicated(directory, fill);
      return { ...servers, url: servers.primary };
    });
    const writing = await scene.start();
    // Allows a lag of one hour, so that all reads use the replica.
    const reading = await scene.start({ DATABASE_REPLICA_URLS: scene.postgres.replica, DATABASE_REPLICA_LAG: '3600' });
    const live = await liveIn(scene, () => [writing.origin], { followed: () => [reading.origin] });
    for (let lag = 0; lag < 2; lag++) {
      await sleep(2_000);
      await scene.postgres.pause();
      await sleep(seconds * 1000);
      await scene.postgres.resume();
    }
    await scene.postgres.stopReplica();
    await sleep(2_000);
    return `twice for ${seconds} s, then the replica stopped; ${await live.counted(120)}`;
  },
};
