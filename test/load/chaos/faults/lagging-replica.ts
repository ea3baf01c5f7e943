import { setTimeout as sleep } from 'node:timers/promises';
import { fill } from '../../../support/servers/crashable-postgres.js';
import { type Replicated, startReplicated } from '../../../support/servers/replicated-postgres.js';
import type { Fault } from '../scene.js';
import { sendRequest } from '../workload.js';

const seconds = 60;
/** Maximum age of a response, in seconds. A replica may lag by one second, and its lag is checked four times a second. */
const oldest = 2;

/** The replica pauses its replay, resumes it, and later stops. */
export const laggingReplica: Fault = {
  name: 'the replica lags for a minute',
  async inject(open) {
    const scene = await open(async (directory): Promise<Replicated & { url: string }> => {
      const servers = await startReplicated(directory, fill);
      return { ...servers, url: servers.primary };
    });
    const service = await scene.start({ DATABASE_REPLICA_URLS: scene.postgres.replica });
    const query = (text: string) => sendRequest(service.origin, { path: '/graphql', method: 'POST', body: { query: text } });
    /** Times at which titles were acknowledged, indexed by the number in the title. */
    const acknowledgedAt: number[] = [];
    let age = 0;
    let isOver = false;
    const writer = async () => {
      for (let number = 0; !isOver; number++) {
        await query(`mutation { upsertTournament(input: { id: "chaos-1", title: "Number ${number}" }) { id } }`);
        acknowledgedAt[number] = performance.now();
        await sleep(100);
      }
    };
    const reader = async () => {
      while (!isOver) {
        const sentAt = performance.now();
        const response = await query('{ tournament(id: "chaos-1") { title } }');
        const [, number] = /Number (\d+)/.exec(response?.body?.data?.tournament?.title) ?? [];
        const next = acknowledgedAt[Number(number) + 1];
        if (number !== undefined && next !== undefined) age = Math.max(age, (sentAt - next) / 1000);
        await sleep(20);
      }
    };
    const workload = scene.work(() => [service.origin]);
    const pair = [writer(), reader()];
    await sleep(3_000);
    const before = scene.checkCounts(workload);
    await scene.postgres.pause();
    await sleep(seconds * 1000);
    const during = scene.checkCounts(workload);
    scene.promise(during.refused === 0, `${during.refused} requests were refused`);
    await scene.postgres.resume();
    await sleep(3_000);
    await scene.postgres.stopReplica();
    await sleep(1_000);
    scene.checkCounts(workload);
    await sleep(5_000);
    const without = scene.checkCounts(workload);
    scene.promise(without.refused === 0, `${without.refused} requests were refused a second or more after the replica stopped`);
    isOver = true;
    await Promise.all([workload.stop(), ...pair]);
    scene.checkCounts(workload);
    scene.promise(age > 0 && age < oldest, `a response was ${age.toFixed(2)} s old`);
    return `for ${seconds} s, then the replica stopped; the oldest response was ${age.toFixed(2)} s old; ${before.answers} responses in 3 s before, ${during.answers} in the ${seconds} s; ${await scene.counted()}`;
  },
};
