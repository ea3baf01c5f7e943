import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startPostgres } from '../../../support/servers/crashable-postgres.js';
import { libraryAt } from '../library.js';
import type { Fault } from '../scene.js';

const seconds = 10;
const [database, mail] = ['database.courtside.test', 'mail.courtside.test'];
const wrapper = () => libraryAt('libnss_wrapper.so');

/** The host names of the database and the mail server no longer resolve, and all connections are closed. */
export const lostNames: Fault = {
  name: 'host names do not resolve',
  missingPrerequisite: async () => (wrapper() ? null : 'needs the package libnss-wrapper to remove host names'),
  async inject(open) {
    const scene = await open((directory) => startPostgres(directory));
    const hosts = join(scene.directory, 'hosts');
    const know = (names: readonly string[]) => writeFile(hosts, names.map((name) => `127.0.0.1 ${name}\n`).join(''));
    await know([database, mail]);
    const url = new URL(scene.postgres.url);
    url.hostname = database;
    const service = await scene.start({
      LD_PRELOAD: wrapper() ?? '',
      NSS_WRAPPER_HOSTS: hosts,
      DATABASE_URL: url.href,
      SMTP_URL: `smtp://${mail}:${scene.mails.port}`,
    });
    const workload = scene.work(() => [service.origin]);
    await scene.register(service.origin, 3);
    await sleep(2_000);
    scene.checkCounts(workload);
    await know([]);
    await scene.register(service.origin, 3);
    const operator = new Client({ connectionString: scene.postgres.url, application_name: 'operator' });
    await operator.connect();
    await operator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await operator.end();
    await sleep(seconds * 1000);
    const during = scene.checkCounts(workload);
    scene.promise(during.refused > 0, 'no response asked for a retry');
    await know([database, mail]);
    const recovery = await scene.recovered(service.origin, 8);
    await workload.stop();
    scene.checkCounts(workload);
    return `for ${seconds} s without connections, ${during.refused} refused, writes again after ${recovery.toFixed(1)} s; ${await scene.counted()}; ${await scene.delivered(60)}`;
  },
};
