import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingLinux, requires } from '../support/prerequisites.js';
import { buildService } from '../support/servers/service-process.js';

const program = 'dist/src/commands/run.js';

async function errorsOf(child: ReturnType<typeof spawn>) {
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, errors };
}

test('a command ends without an error if the reader of its output closes the pipe', async () => {
  await buildService();
  const child = spawn(process.execPath, [program, 'import', '--dictionary'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await errorsOf(child)).toEqual({ code: 0, errors: '' });
});

test('a command reports in one line that its output cannot be written', requires(missingLinux), async () => {
  await buildService();
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [program, 'import', '--dictionary'], { stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  expect(await errorsOf(child)).toEqual({ code: 1, errors: 'The output cannot be written (ENOSPC).\n' });
});
