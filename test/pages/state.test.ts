import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.js';
import { freshDatabase } from '../support/database.js';
import { startLine } from '../support/line.js';
import { secondProcess } from '../support/second-process.js';

/** What the start page says of each part of the service. */
async function statesAt(origin: string): Promise<[number, string[]]> {
  const answer = await fetch(`${origin}/`);
  const page = await answer.text();
  return [answer.status, [...page.matchAll(/<dd class="state [^"]*">([^<]*)</g)].map(([, line = '']) => line)];
}

test('the start page tells in time when the database does not answer', { timeout: 60_000 }, async () => {
  const database = await freshDatabase();
  const line = await startLine(database.url);
  const app = await startApp({}, { ...database, url: line.url });
  expect(await statesAt(app.origin)).toEqual([200, ['Up', 'Empty', 'None waiting']]);
  line.goDead();
  // What it saw holds for a second.
  await expect.poll(() => statesAt(app.origin)).toEqual([200, ['Down', 'Unknown', 'Unknown']]);
  line.mend();
  await expect.poll(() => statesAt(app.origin)).toEqual([200, ['Up', 'Empty', 'None waiting']]);
  await app.close();
  line.stop();
});

test('a service without demo data shows no token, and its questions ask for one', async () => {
  const app = await startApp();
  const other = await secondProcess(app);
  const [demo, page] = await Promise.all([app, other].map(async ({ origin }) => (await fetch(`${origin}/`)).text()));
  const told = ['Demo tokens', app.platform.platform, '<input id="token"'];
  expect([demo, page].map((text) => told.filter((each) => text?.includes(each)))).toEqual([told.slice(0, 2), told.slice(2)]);
  await other.close();
  await app.close();
});

test('docs/pages.md lists the pages to which the bar on top leads', () => {
  const page = readFileSync('docs/pages.md', 'utf8');
  const [, places = ''] = /const places = \{(.*?)\} as const/s.exec(readFileSync('src/pages/layout.ts', 'utf8')) ?? [];
  const rows = [...places.matchAll(/\['(\w+)', '([^']+)'\]/g)].map(([, title, path]) => `| \`${path}\` | ${title} |`);
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});
