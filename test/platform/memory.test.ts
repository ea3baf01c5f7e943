import { existsSync, readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Database, freshDatabase } from '../support/database.js';
import { attack, hostileRequests } from '../support/hostile.js';
import { type Service, startService } from '../support/service.js';

vi.setConfig({ testTimeout: 60_000 });

const token = 'platform-of-the-memory-test';

let database: Database;
let service: Service;
beforeAll(async () => {
  database = await freshDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    insert into app_user (id, first_name, last_name, slug) select 'u' || n, 'First ' || n, 'Last ' || n, 'u-' || n from generate_series(1, 2000) n;
    insert into tournament (id, title) select 't' || n, 'Tournament ' || n from generate_series(1, 90) n;
    insert into team (id, tournament_id, player_one_id, player_two_id)
      select 'm' || n, 't' || 1 + n % 90, 'u' || 1 + n % 2000, 'u' || 1 + n * 7 % 2000 from generate_series(1, 9000) n`);
  await client.end();
  service = await startService({ DATABASE_URL: database.url, BOOTSTRAP_PLATFORM_TOKEN: token, LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  service.signal('SIGKILL');
  await service.ended;
  await database.drop();
});

/** The most memory that the process has had at once, in megabytes. */
const peakOf = ({ pid }: Service): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

test.skipIf(!existsSync('/proc/self/status'))(
  'requests that ask for as much as they may, all at once, take less than 450 MB',
  async () => {
    await attack(Number(new URL(service.origin).port), hostileRequests(token), 64, 6);
    const after = await fetch(`${service.origin}/v1/data/teams?page_size=1`, { headers: { 'PB-API-TOKEN': token } });
    expect([after.status, (await after.json()).results.length]).toEqual([200, 1]);
    expect(peakOf(service)).toBeLessThan(450);
  },
);
