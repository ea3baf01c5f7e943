import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Vitest needs a newer Node.js than `npm ci`. npm scripts and npx use the version in node_modules.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Node.js ${process.versions.node} is too old for the tests: use version 22.18 or newer, or run "npm test" or "npx vitest".`,
  );
  process.exit(1);
}

const systemTests = 'test/**/*.system.test.ts';
const packages = '**/node_modules/**';

export default defineConfig({
  // Uses the CommonJS build of graphql, which Node.js loads as well. The ES modules would be a second copy, and `instanceof` would fail.
  resolve: {
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(new URL('node_modules/graphql/index.js', import.meta.url)) }],
  },
  test: {
    reporters: ['default', 'test/support/skipped-tests-reporter.ts'],
    globalSetup: ['test/support/servers/shared-postgres.ts'],
    runner: 'test/support/ordered-imports-runner.ts',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // A poll returns as soon as its condition holds. The high timeout is for machines that are busy with other work.
    expect: { poll: { timeout: 15_000 } },
    // Workers spend about a quarter of the time waiting for PostgreSQL.
    maxWorkers: availableParallelism() + 1,
    // The test files of one worker share imported modules, because loading the records and the schema takes most of the startup time of a
    // file.
    isolate: false,
    // Most objects live for one request. With a larger young generation, the garbage collector need not copy them.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      { extends: true, test: { name: 'core', include: ['test/**/*.test.ts'], exclude: [systemTests, packages] } },
      { extends: true, test: { name: 'system', include: [systemTests], exclude: [packages] } },
    ],
  },
});
