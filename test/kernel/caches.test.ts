import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allCacheDescriptions } from '../../src/kernel/caches.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'live' });
});
afterAll(() => app.close());

test('docs/growing.md lists every cache of a process with its limit and its lifetime', () => {
  const [, table = ''] =
    /\| cached \| limit \| valid until \|\n\|.*\n((?:\|.*\n)+)/.exec(readFileSync('docs/growing.md', 'utf8')) ?? [];
  const rows = allCacheDescriptions().map(({ name, limit, validity }) => `| ${name} | ${limit} | ${validity} |`);
  expect(table.trim().split('\n')).toEqual(rows);
});

test('only src/kernel/caches.ts creates LRU caches', () => {
  const files = ['src', 'compat'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const creators = files.filter((file) => /new LRUCache\b/.test(readFileSync(file, 'utf8')));
  expect(creators).toEqual(['src/kernel/caches.ts']);
});
