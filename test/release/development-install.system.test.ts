import { expect, test } from 'vitest';
import { diskUsages, installedPackages } from '../support/checks/installed-packages.js';

test('a development install takes less than 700 MB', () => {
  const packages = [...diskUsages(installedPackages().map(({ path }) => path))]
    .map(([path, bytes]) => ({ path, megabytes: bytes / 2 ** 20 }))
    .toSorted((a, b) => b.megabytes - a.megabytes);
  const largest = packages.slice(0, 10).map(({ path, megabytes }) => `${path}: ${megabytes.toFixed(1)} MB`);
  const total = packages.reduce((sum, { megabytes }) => sum + megabytes, 0);
  expect(total, `The largest packages:\n${largest.join('\n')}\n`).toBeLessThan(700);
}, 60_000);
