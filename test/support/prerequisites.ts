declare module 'vitest' {
  interface TaskMeta {
    /** Why the tests are skipped. The list at the end of the run shows it. */
    skipReason?: string;
  }
}

/**
 * Options of a test or `describe` that needs a program or a platform: it is skipped with a reason where that is missing.
 * In CI a skipped test fails the run.
 */
export const requires = (missing: string | null): { skip: boolean; meta: { skipReason?: string } } =>
  missing === null ? { skip: false, meta: {} } : { skip: true, meta: { skipReason: missing } };

/** The reason to skip a test that reads `/proc`. */
export const missingLinux = process.platform === 'linux' ? null : 'needs Linux';

/** The reason to skip a test that starts programs as another user. */
export const missingRoot = process.getuid?.() === 0 ? null : 'needs root';
