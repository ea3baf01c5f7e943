import { afterAll, beforeAll, expect, test } from 'vitest';
import { models } from '../model/index.js';
import { type Setting, settingOf } from '../model/setting.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Process, secondProcess } from '../support/second-process.js';

let app: TestApp;
let other: Process;
let setting: Setting;
beforeAll(async () => {
  app = await startApp();
  other = await secondProcess(app);
  setting = settingOf([app.origin, other.origin], app.platform.platform, (statement, values) => app.sql.rows(statement, values));
});
afterAll(async () => {
  await other.close();
  await app.close();
});

test.each(Object.entries(models))('%s at two processes at once are as in a simple model', async (_, hold) => {
  expect(await hold(setting, { seed: 1, runs: 3, batches: 8 })).toBeGreaterThan(20);
});
