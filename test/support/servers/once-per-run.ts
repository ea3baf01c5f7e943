import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';

/**
 * Runs `work` once per test run, in the first worker that needs it. The other workers wait for it. If `work` fails, this function throws in
 * all workers.
 */
export async function oncePerRun(name: string, work: () => unknown): Promise<void> {
  const place = join(inject('scratch'), name);
  const done = join(place, 'done');
  const isFirst = await mkdir(place).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const error = await Promise.resolve()
      .then(work)
      .then(
        () => '',
        (reason: unknown) => String(reason),
      );
    await writeFile(`${done}.part`, error);
    await rename(`${done}.part`, done);
  }
  while (!existsSync(done)) await sleep(50);
  const error = readFileSync(done, 'utf8');
  if (error) throw new Error(`${name} failed: ${error}`);
}
