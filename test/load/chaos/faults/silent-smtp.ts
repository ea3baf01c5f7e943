import { setTimeout as sleep } from 'node:timers/promises';
import { startMailServer, startSilentServer } from '../../../support/servers/counting-smtp-server.js';
import { startPostgres } from '../../../support/servers/crashable-postgres.js';
import type { Fault } from '../scene.js';

export const silentSmtp: Fault = {
  name: 'the mail server accepts connections and never responds',
  async inject(open) {
    const scene = await open((directory) => startPostgres(directory));
    const silence = await startSilentServer();
    const service = await scene.start({ SMTP_URL: `smtp://127.0.0.1:${silence.port}` });
    const workload = scene.work(() => [service.origin]);
    await scene.register(service.origin, 10);
    await sleep(20_000);
    scene.promise(silence.connections() > 0, 'the service did not try to send an email');
    await silence.close();
    const mended = await startMailServer(silence.port);
    scene.resources.add(() => mended.close());
    await workload.stop();
    const { refused, slowest } = scene.checkCounts(workload);
    scene.promise(refused === 0, `${refused} requests were refused`);
    scene.promise(slowest < 5, `a request took ${slowest.toFixed(1)} s`);
    return `for 20 s, ${silence.connections()} connections to the mail server; ${await scene.counted()}; ${await scene.delivered(60, mended)}`;
  },
};
