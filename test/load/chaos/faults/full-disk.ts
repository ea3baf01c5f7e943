import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open as openFile, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../../support/servers/crashable-postgres.js';
import type { Fault } from '../scene.js';
import { sendRequest } from '../workload.js';

const seconds = 10;

const mount = (directory: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=500m,mode=711', 'courtside-chaos', directory]).status === 0;
const unmount = (directory: string): void => void spawnSync('umount', ['-l', directory]);

/** Writes a file until the disk is full. */
async function fillUp(path: string): Promise<void> {
  const file = await openFile(path, 'w');
  try {
    for (const size of [1 << 20, 1 << 12]) {
      const block = Buffer.alloc(size, 1);
      while (
        await file.write(block).then(
          ({ bytesWritten }) => bytesWritten === size,
          () => false,
        )
      );
    }
  } finally {
    await file.close();
  }
}

/** The volume of the database is full until space is freed. */
export const fullDisk: Fault = {
  name: 'the disk of the database is full',
  async missingPrerequisite() {
    const directory = await mkdtemp(join(tmpdir(), 'courtside-chaos-'));
    const isMounted = mount(directory);
    if (isMounted) unmount(directory);
    await rmdir(directory);
    return isMounted ? null : 'needs a user who can mount a volume, such as root';
  },
  async inject(open) {
    const scene = await open(async (directory, resources) => {
      const volume = join(directory, 'volume');
      await mkdir(volume);
      if (!mount(volume)) throw new Error('the volume could not be mounted');
      resources.add(async () => unmount(volume));
      await chmod(volume, 0o711);
      return { ...(await startPostgres(volume)), volume };
    });
    const { postgres } = scene;
    const service = await scene.start();
    const workload = scene.work(() => [service.origin]);
    await scene.register(service.origin, 3);
    await sleep(2_000);
    scene.checkCounts(workload);
    const filler = join(postgres.volume, 'filler');
    await fillUp(filler);
    let read = 0;
    for (let second = 0; second < seconds; second++) {
      await scene.register(service.origin, 1);
      // PostgreSQL can still write to space that it has reserved earlier.
      await fillUp(`${filler}-${second}`);
      const response = await sendRequest(service.origin, { path: '/v1/data/tourney_flat_data?page_size=5' });
      if (response?.status === 200) read++;
      else scene.promise(!postgres.isUp(), `a read returned ${response?.status}`);
      await sleep(1_000);
    }
    const during = scene.checkCounts(workload);
    scene.promise(during.refused > 0, 'no response asked for a retry');
    const hasDied = !postgres.isUp();
    await Promise.all([filler, ...Array.from({ length: seconds }, (_, index) => `${filler}-${index}`)].map((path) => rm(path)));
    if (hasDied) await postgres.restart();
    const recovery = await scene.recovered(service.origin, 15);
    await workload.stop();
    scene.checkCounts(workload);
    const died = hasDied ? 'PostgreSQL exited and was restarted' : 'PostgreSQL continued to run';
    return `for ${seconds} s, ${during.refused} refused, ${read} of ${seconds} reads succeeded, ${died}, writes again after ${recovery.toFixed(1)} s; ${await scene.counted()}; ${await scene.delivered(30)}`;
  },
};
