import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startPostgres } from '../../../support/servers/crashable-postgres.js';
import { liveIn } from '../live/scene.js';
import type { Fault } from '../scene.js';

const cuts = 20;
const seconds = 8;

/** The notification connections of the processes break repeatedly. Then the process with the subscribers freezes for eight seconds. */
export const liveLostNotices: Fault = {
  name: 'live: change notifications are lost',
  async inject(open) {
    const scene = await open((directory) => startPostgres(directory));
    const [writing, listening] = [await scene.start(), await scene.start()];
    const live = await liveIn(scene, () => [writing.origin], { followed: () => [listening.origin] });
    const operator = new Client({ connectionString: scene.postgres.url, application_name: 'operator' });
    await operator.connect();
    scene.resources.add(() => operator.end());
    let cutCount = 0;
    while (cutCount < cuts) {
      await sleep(200);
      const { rowCount } = await operator.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'courtside changes'`,
      );
      cutCount += rowCount ?? 0;
    }
    listening.signal('SIGSTOP');
    await sleep(seconds * 1000);
    listening.signal('SIGCONT');
    await sleep(2_000);
    return `${cutCount} connections closed, then the process was stopped for ${seconds} s; ${await live.counted(120)}`;
  },
};
