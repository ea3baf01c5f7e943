import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const systemTests = 'test/**/*.system.test.ts';

export default defineConfig({
  // The CommonJS build of graphql, which Node loads too. With the ES modules there would be two copies, and `instanceof` would fail.
  resolve: {
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(new URL('node_modules/graphql/index.js', import.meta.url)) }],
  },
  test: {
    reporters: ['default', 'test/support/skipped-tests-reporter.ts'],
    globalSetup: ['test/support/servers/shared-postgres.ts'],
    runner: 'test/support/ordered-imports-runner.ts',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // A poll returns as soon as its condition holds. The limit is for machines that are busy with other work.
    expect: { poll: { timeout: 15_000 } },
    // Workers wait for PostgreSQL about a quarter of the time.
    maxWorkers: availableParallelism() + 1,
    // Test files of one worker share imported modules: loading the records and the schema is the largest part of starting a file.
    isolate: false,
    // Most objects live for one request. A larger young generation saves the garbage collector from copying them.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      { extends: true, test: { name: 'core', include: ['test/**/*.test.ts'], exclude: [systemTests] } },
      { extends: true, test: { name: 'system', include: [systemTests] } },
    ],
  },
});
