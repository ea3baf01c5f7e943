import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Process, secondProcess } from '../../support/servers/second-app.js';

let app: TestApp;
const processes: Process[] = [];
const logLines: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
const everyMinute = { cron: '* * * * *', checkSeconds: 1 };
const finishedRuns = () => logLines.filter((line) => line.includes('scheduled job finished')).length;

beforeAll(async () => {
  app = await startApp();
  await app.sql.rows(
    `insert into game (id, title, starts_at, is_repeated, repeats) select 'series-' || n, 'Series', now() + interval '1 hour', true, 'DAILY' from generate_series(1, 30) n`,
  );
});
afterAll(async () => {
  for (const process of processes) await process.close();
  await app.close();
});

const repetitions = async () =>
  app.sql.rows<{ n: number }>(`select count(*)::int as n from game where parent_id like 'series-%' group by parent_id`);

test('only processes with a timetable create repetitions, each occurrence once', async () => {
  await pause(1000);
  expect(await repetitions()).toEqual([]);
  processes.push(...(await Promise.all([1, 2].map(() => secondProcess(app, log, everyMinute)))));
  await expect.poll(repetitions, { timeout: 45_000, interval: 250 }).toEqual(Array(30).fill({ n: 59 }));
  await expect.poll(finishedRuns).toBeGreaterThan(0);
  await pause(1000);
  expect(await repetitions()).toEqual(Array(30).fill({ n: 59 }));
  expect(logLines.filter((line) => line.includes('failed'))).toEqual([]);
}, 60_000);
