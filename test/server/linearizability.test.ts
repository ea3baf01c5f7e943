import { afterAll, beforeAll, expect, test } from 'vitest';
import { models } from '../load/models/index.js';
import { type Setting, settingOf } from '../load/models/setting.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { type Process, secondProcess } from '../support/servers/second-app.js';

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

test.each(Object.entries(models))('%s on two concurrent processes behave as in a simple model', async (_, check) => {
  expect(await check(setting, { seed: 1, runs: 3, batches: 8 })).toBeGreaterThan(20);
});
