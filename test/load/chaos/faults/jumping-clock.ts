import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startPostgres } from '../../../support/servers/crashable-postgres.js';
import { libraryAt } from '../library.js';
import type { Fault } from '../scene.js';
import { sendRequest } from '../workload.js';

const faketime = () => libraryAt('faketime/libfaketimeMT.so.1');
const login = { email: 'chaos-admin@players.test', password: 'correct horse battery' };

/** Returns the time of the service, in milliseconds since the Unix epoch. */
async function serviceTime(origin: string): Promise<number> {
  const response = await fetch(`${origin}/v1/nowhere`);
  return Number((await response.json()).Timestamp) * 1000;
}

/** Returns the time of the database, in milliseconds since the Unix epoch. */
async function databaseTime(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select extract(epoch from now())::float8 as now');
  await client.end();
  return rows[0].now * 1000;
}

/** The clocks of the service and of the database jump an hour ahead and back. Then only the clock of the service jumps. */
export const jumpingClock: Fault = {
  name: 'the clock jumps an hour',
  missingPrerequisite: async () => (faketime() ? null : 'needs the package faketime to set clocks'),
  async inject(open) {
    const clocked = async (directory: string, name: string, seconds = 0) => {
      const file = join(directory, name);
      const set = (ahead: number) => writeFile(file, `${ahead < 0 ? '' : '+'}${ahead}\n`, { mode: 0o644 });
      await set(seconds);
      const variables = {
        LD_PRELOAD: faketime() ?? '',
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        // Monotonic clocks do not jump.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      };
      return { variables, set };
    };
    const scene = await open(async (directory) => {
      const clock = await clocked(directory, 'clock-of-the-database');
      const postgres = await startPostgres(directory, clock.variables);
      return { ...postgres, setClock: clock.set, clock: () => databaseTime(postgres.url) };
    });
    const clock = await clocked(scene.directory, 'clock-of-the-service');
    const admin = { BOOTSTRAP_ADMIN_EMAIL: login.email, BOOTSTRAP_ADMIN_PASSWORD: login.password };
    const service = await scene.start({ ...clock.variables, ...admin });
    const signedIn = await sendRequest(service.origin, { path: '/v1/sso/login', method: 'POST', body: { payload: login } });
    const headers = { 'PB-USER-TOKEN': String(signedIn?.body?.result?.token) };
    const workload = scene.work(() => [service.origin]);
    const jumps: readonly [string, number, number][] = [
      ['both clocks an hour ahead', 3600, 3600],
      ['both clocks reset', 0, 0],
      ['the clock of the service an hour ahead', 3600, 0],
      ['the clock of the service an hour behind', -3600, 0],
      ['both clocks reset again', 0, 0],
    ];
    for (const [name, ofService, ofDatabase] of jumps) {
      await Promise.all([clock.set(ofService), scene.postgres.setClock(ofDatabase)]);
      const clocks = [await serviceTime(service.origin), await scene.postgres.clock()];
      const ahead = clocks.map((each) => Math.round((each - Date.now()) / 1000 / 60) * 60);
      scene.promise(String(ahead) === String([ofService, ofDatabase]), `the clocks were ${ahead} seconds ahead with ${name}`);
      await scene.register(service.origin, 3);
      await sleep(5_000);
      const counts = scene.checkCounts(workload);
      scene.promise(counts.acknowledged.length > 0, `nothing was written with ${name}`);
      scene.promise(counts.refused === 0, `${counts.refused} requests were refused with ${name}`);
      const valid = await sendRequest(service.origin, { path: '/v1/sso/validate_token', headers });
      scene.promise(valid?.status === 200, `a user token returned ${valid?.status} with ${name}`);
    }
    await workload.stop();
    scene.checkCounts(workload);
    return `${jumps.length} jumps; ${await scene.counted()}; ${await scene.delivered(20)}`;
  },
};
