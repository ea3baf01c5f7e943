import { expect, test } from 'vitest';
import { missingRelease } from './releases.js';

test('CI fails if its clone does not contain the previous release', () => {
  expect(missingRelease({ version: '0.0.0' })).toEqual({
    reason: 'needs the commit of release 0.0.0: run "git fetch --unshallow --tags"',
    isInstallable: true,
  });
});
