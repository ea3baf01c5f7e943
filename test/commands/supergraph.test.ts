import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { freePort } from '../../src/port.js';
import { built, scratchDirectory } from '../support/service.js';

// Whole processes are started.
vi.setConfig({ testTimeout: 240_000 });

/** `npm run supergraph -- --processes 1`, as far as the build goes, up on the data of a directory. */
async function startSupergraph(directory: string) {
  await built();
  const child = spawn(process.execPath, ['dist/src/commands/supergraph.js', '--processes', '1'], {
    env: { DATA_DIR: directory, DEMO: 'false', PORT: String(await freePort()) },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  await expect.poll(() => output, { timeout: 90_000 }).toContain('Ctrl-C stops it.');
  const [gateway = ''] = /http:\S+\/graphql/.exec(output) ?? [];
  const origins = [...new Set(output.match(/http:\/\/127\.0\.0\.1:\d+/g))];
  const atStart = output.length;
  return { gateway, origins, child, ended, since: () => output.slice(atStart).trim() };
}

/** Whether nothing listens there any more. */
const isGone = (origin: string) =>
  fetch(`${origin}/health`).then(
    () => false,
    () => true,
  );

test('kill -9 leaves no process and no database behind, it goes on with the same data, and Ctrl-C ends it quietly', async () => {
  const directory = await scratchDirectory();
  const hasDatabase = () => existsSync(join(directory, 'postgres', 'postmaster.pid'));
  const first = await startSupergraph(directory);
  first.child.kill('SIGKILL');
  await expect.poll(() => Promise.all(first.origins.map(isGone)), { timeout: 20_000 }).toEqual([true]);
  await expect.poll(hasDatabase, { timeout: 20_000 }).toBe(false);

  const second = await startSupergraph(directory);
  const response = await fetch(`${second.gateway}?query={countries{totalCount}}`, {
    headers: { 'apollo-require-preflight': 'true' },
  });
  const { data } = await response.json();
  // As from a terminal, where npm tells it once more.
  second.child.kill('SIGINT');
  second.child.kill('SIGINT');
  const code = await second.ended;
  expect([data, code, second.since(), await Promise.all(second.origins.map(isGone)), hasDatabase()]).toEqual([
    { countries: { totalCount: 250 } },
    0,
    '',
    [true],
    false,
  ]);
});
