import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApp } from '../support/servers/app.js';
import { startDemo } from '../support/servers/season.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDemo({ CONSOLE: 'off' });
}, 120_000);
afterAll(() => app.close());

test('CONSOLE=off removes the console and all links to it', async () => {
  const responses = await Promise.all(
    ['/console', '/console/users', '/console/assets/documents.json'].map((path) => fetch(app.origin + path)),
  );
  const startPage = await fetch(app.origin, { headers: { Accept: 'text/html' } });
  expect({
    statuses: responses.map(({ status }) => status),
    startPage: startPage.status,
    hasLink: (await startPage.text()).includes('/console'),
  }).toEqual({ statuses: [404, 404, 404], startPage: 200, hasLink: false });
});
