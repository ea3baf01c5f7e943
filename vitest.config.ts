import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The file that Node takes too: with graphql's ES modules beside it there would be two copies, and types would not know each other.
  resolve: {
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(new URL('node_modules/graphql/index.js', import.meta.url)) }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    setupFiles: ['test/support/import-order.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // What is waited for comes at once on a quiet machine; on a starved one it may take seconds.
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 2,
    // Files of one worker share what they import: the records and the graph are the same for all of them.
    isolate: false,
    // Most objects of a test live as long as one request: with room for them the garbage collector has less to copy.
    execArgv: ['--max-semi-space-size=64'],
  },
});
