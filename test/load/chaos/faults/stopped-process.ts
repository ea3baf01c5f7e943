import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../../support/servers/crashable-postgres.js';
import type { Fault } from '../scene.js';

const seconds = 30;

/** One of two processes freezes with open transactions and unsent emails. The other process continues. */
export const stoppedProcess: Fault = {
  name: 'one of two services is paused',
  async inject(open) {
    const scene = await open((directory) => startPostgres(directory));
    const [stopped, other] = [await scene.start(), await scene.start()];
    const workloadOfBoth = scene.work(() => [stopped.origin, other.origin]);
    await scene.register(stopped.origin, 5);
    await sleep(2_000);
    stopped.signal('SIGSTOP');
    // Clients of the frozen process wait, as for any server that does not respond.
    const alone = scene.work(() => [other.origin]);
    try {
      await scene.register(other.origin, 5);
      await sleep(seconds * 1000);
      const counts = scene.checkCounts(alone);
      scene.promise(
        counts.acknowledged.length > seconds,
        `only ${counts.acknowledged.length} writes in ${seconds} s at the other service`,
      );
    } finally {
      stopped.signal('SIGCONT');
    }
    const recovery = await scene.recovered(stopped.origin, 8);
    await Promise.all([workloadOfBoth.stop(), alone.stop()]);
    scene.checkCounts(alone);
    const waited = scene.checkCounts(workloadOfBoth, { standsStill: true });
    return `for ${seconds} s, writes again after ${recovery.toFixed(1)} s, ${waited.answers} responses from both; ${await scene.counted()}; ${await scene.delivered(20)}`;
  },
};
