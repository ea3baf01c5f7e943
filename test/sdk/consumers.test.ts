import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../src/modules/accounts/password.js';
import { startApp, type TestApp } from '../support/app.js';
import { entriesOf } from '../support/entries.js';
import { newKey } from '../support/keys.js';
import { complaintsAbout, installSdk } from '../support/sdk.js';
import { scratchDirectory } from '../support/service.js';

let app: TestApp;
let directory: string;
let eventId: string;
const password = 'correct horse';
const entries = entriesOf(() => app);
beforeAll(async () => {
  [app, directory] = await Promise.all([startApp(), scratchDirectory()]);
  await installSdk(directory);
  const austin = { location: { city: 'Austin', latitude: 30.27, longitude: -97.74 } };
  eventId = await entries.open({}, austin);
  for (let count = 0; count < 4; count += 1) await entries.open();
  const { id } = await app.person({ email: 'maya@example.com', firstName: 'Maya' });
  await app.sql.rows('update app_user set password_hash = $2 where id = $1', [id, await hashPassword(password)]);
}, 120_000);
afterAll(() => app.close());

/** What a program that uses the SDK prints, as Node runs it from its directory. */
async function printed(file: string, args: readonly string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [join(directory, file), ...args], { cwd: directory });
  return JSON.parse(stdout);
}

describe('a frontend', () => {
  beforeAll(() => copyFileSync('test/sdk/consumers/frontend.ts', join(directory, 'frontend.ts')));

  test('compiles under --strict, and what is wrong in it does not', () =>
    expect(complaintsAbout(directory, 'frontend.ts', { dom: true })).toBe(''));

  test('searches, signs in, enters an event once, turns pages and goes on with what was not refused', async () => {
    const { key } = await newKey(app);
    expect(await printed('frontend.ts', [app.origin, key, 'maya@example.com', password, eventId])).toEqual({
      found: { total: 1, city: 'Austin', near: true },
      refused: ['sign in first', 'wrong', expect.stringContaining('near.latitude')],
      name: 'Maya',
      entered: 'Doubles',
      same: true,
      twice: 'CONFLICT',
      pages: [2, 2, 1],
      partly: [5, null, []],
    });
  });
});
