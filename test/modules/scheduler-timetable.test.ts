import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { type Process, secondProcess } from '../support/second-process.js';

let app: TestApp;
const others: Process[] = [];
const logged: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
const everyMinute = { cron: '* * * * *', lookSeconds: 1 };
const done = () => logged.filter((line) => line.includes('work of the timetable done')).length;

beforeAll(async () => {
  app = await startApp();
  await app.sql.rows(
    `insert into game (id, title, starts_at, is_repeated, repeats) select 'series-' || n, 'Series', now() + interval '1 hour', true, 'DAILY' from generate_series(1, 30) n`,
  );
});
afterAll(async () => {
  for (const other of others) await other.close();
  await app.close();
});

const repetitions = async () =>
  app.sql.rows<{ n: number }>(`select count(*)::int as n from game where parent_id like 'series-%' group by parent_id`);

test('processes with a timetable make the repetitions of all games, each once, and a process without one none', async () => {
  await pause(1000);
  expect(await repetitions()).toEqual([]);
  others.push(...(await Promise.all([1, 2].map(() => secondProcess(app, log, everyMinute)))));
  await expect.poll(repetitions, { timeout: 45_000, interval: 250 }).toEqual(Array(30).fill({ n: 59 }));
  await expect.poll(done).toBeGreaterThan(0);
  await pause(1000);
  expect([await repetitions(), logged.filter((line) => line.includes('failed'))]).toEqual([Array(30).fill({ n: 59 }), []]);
}, 60_000);
