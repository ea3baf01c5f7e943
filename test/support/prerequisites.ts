import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A prerequisite of tests that this machine does not have. */
export interface Missing {
  /** States the prerequisite and how to install it. */
  readonly reason: string;
  /** Whether `.ci/run` can install it. A test that is skipped for such a reason fails a run in CI. */
  readonly isInstallable: boolean;
}

declare module 'vitest' {
  interface TaskMeta {
    /** Reason for skipping the tests, shown in the list at the end of the run. */
    missing?: Missing;
  }
}

/** Options of a test or `describe` with a prerequisite. If it is missing, the tests are skipped with its reason. */
export const requires = (missing: Missing | null): { skip: boolean; meta: { missing?: Missing } } =>
  missing === null ? { skip: false, meta: {} } : { skip: true, meta: { missing } };

const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/opt/homebrew/sbin'];

/** The path of a program, or null if it is not installed. Programs for administrators are found as well. */
export const programPath = (program: string): string | null =>
  directories.map((directory) => join(directory, program)).find((path) => existsSync(path)) ?? null;

/** Reason for skipping a test that runs these programs, which are named like their Debian packages. Null if all are installed. */
export function missingPrograms(...programs: string[]): Missing | null {
  const missing = programs.filter((program) => programPath(program) === null);
  return missing.length === 0 ? null : { reason: `needs ${missing.join(' and ')}`, isInstallable: true };
}

/** Reason for skipping a test that reads `/proc`. */
export const missingLinux: Missing | null = process.platform === 'linux' ? null : { reason: 'needs Linux', isInstallable: false };

/** Reason for skipping a test that starts programs as another user. */
export const missingRoot: Missing | null = process.getuid?.() === 0 ? null : { reason: 'needs root', isInstallable: false };
