import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';

/** Does the work once a run, whichever worker comes first; the others wait until it is done. */
export async function onceARun(name: string, work: () => unknown): Promise<void> {
  const place = join(inject('scratch'), name);
  const first = await mkdir(place).then(
    () => true,
    () => false,
  );
  const done = join(place, 'done');
  if (first) {
    try {
      await work();
    } finally {
      await writeFile(done, '');
    }
  }
  while (!existsSync(done)) await sleep(50);
}
