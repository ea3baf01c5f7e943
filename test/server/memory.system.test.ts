import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { attack, hostileRequests } from '../support/clients/overload.js';
import { missingLinux, requires } from '../support/prerequisites.js';
import { databaseWithTeams } from '../support/servers/database-with-teams.js';
import { type Service, startService } from '../support/servers/service-process.js';
import type { Database } from '../support/servers/test-database.js';

vi.setConfig({ testTimeout: 60_000 });

const token = 'platform-of-the-memory-test';

let database: Database;
let service: Service;
beforeAll(async () => {
  database = await databaseWithTeams({ users: 2_000, tournaments: 90, teams: 9_000 });
  service = await startService({ DATABASE_URL: database.url, BOOTSTRAP_PLATFORM_TOKEN: token, LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  service.signal('SIGKILL');
  await service.exit;
  await database.drop();
});

/** Returns the peak resident memory of the process, in megabytes. */
const peakOf = ({ pid }: Service): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

test('concurrent requests of the maximum size keep the process below 450 MB', requires(missingLinux), async () => {
  await attack(Number(new URL(service.origin).port), hostileRequests(token), 64, 6);
  const response = await fetch(`${service.origin}/v1/data/teams?page_size=1`, { headers: { 'PB-API-TOKEN': token } });
  const { results } = await response.json();
  expect({ status: response.status, resultCount: results.length }).toEqual({ status: 200, resultCount: 1 });
  expect(peakOf(service)).toBeLessThan(450);
});

test('20 concurrent pages of 1,000 tournaments keep the process below 450 MB', requires(missingLinux), async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    insert into tournament (id, title, starts_at, contact_registration, contact_refunds, contact_other, details_url)
      select 'full-' || n, 'Tournament ' || n, timestamptz '2026-01-01' + n * interval '1 hour', text, text, text, 'https://example.com/' || n
      from generate_series(1, 1500) n, lateral (select repeat(md5(n::text), 25) as text) texts`);
  await client.end();
  const read = async (index: number) => {
    const page = `page_size=1000&current_page=${index * 10}`;
    const response = await fetch(`${service.origin}/v1/data/tourney_flat_data?${page}`, { headers: { 'PB-API-TOKEN': token } });
    const { results } = await response.json();
    return `${response.status}: ${results.length} tournaments`;
  };
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => read(index)));
  expect(new Set(answers)).toEqual(new Set(['200: 1000 tournaments']));
  expect(peakOf(service)).toBeLessThan(450);
});
