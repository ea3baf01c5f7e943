import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A prerequisite of tests that this machine does not have. */
export interface Missing {
  /** States the prerequisite and how to install it. */
  readonly reason: string;
  /**
   * Whether `.ci/run` can install the prerequisite, or a complete clone contains it. A CI run fails if it skips a test because of such a
   * prerequisite.
   */
  readonly isInstallable: boolean;
}

declare module 'vitest' {
  interface TaskMeta {
    /** Missing prerequisite of skipped tests. The list at the end of the run shows the reason. */
    missing?: Missing;
  }
}

/** Returns the options for a test or `describe` with a prerequisite. Skips the tests if the prerequisite is missing. */
export const requires = (missing: Missing | null): { skip: boolean; meta: { missing?: Missing } } =>
  missing === null ? { skip: false, meta: {} } : { skip: true, meta: { missing } };

const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/opt/homebrew/sbin'];

/** Returns the path of a program, or null if the program is not installed. Also searches the `sbin` directories. */
export const programPath = (program: string): string | null =>
  directories.map((directory) => join(directory, program)).find((path) => existsSync(path)) ?? null;

/**
 * Returns the reason for skipping a test that runs the given programs, or null if all are installed. Their names must equal the names of
 * their Debian packages.
 */
export function missingPrograms(...programs: string[]): Missing | null {
  const missing = programs.filter((program) => programPath(program) === null);
  return missing.length === 0 ? null : { reason: `needs ${missing.join(' and ')}`, isInstallable: true };
}

/** Reason for skipping a test that reads `/proc`. Null on Linux. */
export const missingLinux: Missing | null = process.platform === 'linux' ? null : { reason: 'needs Linux', isInstallable: false };

/** Reason for skipping a test that starts programs as another user. Null if the tests run as root. */
export const missingRoot: Missing | null = process.getuid?.() === 0 ? null : { reason: 'needs root', isInstallable: false };
