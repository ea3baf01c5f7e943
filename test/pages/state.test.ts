import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startApp } from '../support/servers/app.js';
import { startDatabaseProxy } from '../support/servers/database-proxy.js';
import { secondProcess } from '../support/servers/second-app.js';
import { freshDatabase } from '../support/servers/test-database.js';

/** Requests the start page. Returns its HTTP status and the component states that it shows. */
async function statesAt(origin: string): Promise<{ status: number; states: string[] }> {
  const response = await fetch(`${origin}/`);
  const page = await response.text();
  const states = [...page.matchAll(/<dd class="state [^"]*">([^<]*)</g)].map(([, state = '']) => state);
  return { status: response.status, states };
}

test('the start page shows an unreachable database instead of waiting for it', { timeout: 60_000 }, async () => {
  const database = await freshDatabase();
  const line = await startDatabaseProxy(database.url);
  const app = await startApp({}, { ...database, url: line.url });
  expect(await statesAt(app.origin)).toEqual({ status: 200, states: ['Up', 'Empty', 'None waiting'] });
  line.disconnect();
  // The states are cached for a second.
  await expect.poll(() => statesAt(app.origin)).toEqual({ status: 200, states: ['Down', 'Unknown', 'Unknown'] });
  line.reconnect();
  await expect.poll(() => statesAt(app.origin)).toEqual({ status: 200, states: ['Up', 'Empty', 'None waiting'] });
  await app.close();
  line.stop();
});

test('the start page shows the demo tokens and sends the publishable key, or shows a token field without demo data', async () => {
  const app = await startApp();
  const withoutDemo = await secondProcess(app);
  const markers = ['Demo tokens', `data-token="${app.demoKey}"`, '<input id="token"'];
  const markersAt = async ({ origin }: { origin: string }) => {
    const page = await (await fetch(`${origin}/`)).text();
    return markers.filter((marker) => page.includes(marker));
  };
  expect({ demo: await markersAt(app), withoutDemo: await markersAt(withoutDemo) }).toEqual({
    demo: ['Demo tokens', `data-token="${app.demoKey}"`],
    withoutDemo: ['<input id="token"'],
  });
  await withoutDemo.close();
  await app.close();
});

test('the list of demo tokens on the start page starts with the publishable key and the player', async () => {
  const app = await startApp();
  const page = await (await fetch(`${app.origin}/`)).text();
  const callers = [...page.matchAll(/<th scope="row">([^<]+)<\/th><td><code>PB-/g)].map(([, caller]) => caller);
  expect(callers).toEqual(['Visitor', 'Player', 'Platform', 'Super admin']);
  await app.close();
});

test('docs/pages.md lists the pages of the navigation bar', () => {
  const page = readFileSync('docs/pages.md', 'utf8');
  const [, links = ''] = /const pageLinks = \{(.*?)\} as const/s.exec(readFileSync('src/pages/layout.ts', 'utf8')) ?? [];
  const rows = [...links.matchAll(/\['(\w+)', '([^']+)'\]/g)].map(([, title, path]) => `| \`${path}\` | ${title} |`);
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});
