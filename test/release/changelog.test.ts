import { expect, test } from 'vitest';
import { changelogWith } from '../../release/changelog.ts';
import { checkVersion } from '../../release/edits.ts';

const changelog = (sections: string) =>
  `# Changelog\n\n${sections}\n## [0.1.0] - 2026-11-27\n\n### Added\n\n- The first release.\n`;

/** Calls a function that throws, and returns the error message. */
function messageOf(work: () => unknown): string {
  try {
    work();
    return 'no error';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test('a release moves the unreleased entries of the changelog under its version and date', () => {
  const before = changelog('## [Unreleased]\n\n### Fixed\n\n- Names with `$&` in lists.\n');
  expect(changelogWith(before, '0.2.0', '2027-01-15')).toBe(
    changelog('## [Unreleased]\n\n## [0.2.0] - 2027-01-15\n\n### Fixed\n\n- Names with `$&` in lists.\n'),
  );
});

test('a release needs unreleased entries in the changelog', () => {
  expect({
    empty: messageOf(() => changelogWith(changelog('## [Unreleased]\n\n### Added\n'), '0.2.0', '2027-01-15')),
    missing: messageOf(() => changelogWith(changelog(''), '0.2.0', '2027-01-15')),
  }).toEqual({
    empty: 'The section "Unreleased" of CHANGELOG.md is empty: add the changes of the release.',
    missing: 'CHANGELOG.md has no section "## [Unreleased]": add it, with the changes of the release.',
  });
});

test('a release needs three numbers after the current version', () => {
  const messages = ['0.2.0', '0.10.0', '0.9.0', '0.9.1', '0.8.0', '1.0', 'v1.0.0', '1.0.0-rc.1'].map((version) =>
    messageOf(() => checkVersion(version, '0.9.0')),
  );
  expect(messages).toEqual([
    'Invalid version 0.2.0: expected a version after 0.9.0.',
    'no error',
    'Invalid version 0.9.0: expected a version after 0.9.0.',
    'no error',
    'Invalid version 0.8.0: expected a version after 0.9.0.',
    'Invalid version "1.0": expected three numbers, such as 0.2.0.',
    'Invalid version "v1.0.0": expected three numbers, such as 0.2.0.',
    'Invalid version "1.0.0-rc.1": expected three numbers, such as 0.2.0.',
  ]);
});
