import { expect, test } from 'vitest';
import { diskUsageOf, installedPackages } from '../support/checks/installed-packages.js';

test('a development install takes less than 700 MB', () => {
  const paths = new Set(installedPackages().map(({ path }) => path));
  const packages = [...paths]
    .map((path) => ({ path, megabytes: diskUsageOf(path, paths) / 2 ** 20 }))
    .toSorted((a, b) => b.megabytes - a.megabytes);
  const largest = packages.slice(0, 10).map(({ path, megabytes }) => `${path}: ${megabytes.toFixed(1)} MB`);
  const total = packages.reduce((sum, { megabytes }) => sum + megabytes, 0);
  expect(total, `The largest packages:\n${largest.join('\n')}\n`).toBeLessThan(700);
}, 60_000);
