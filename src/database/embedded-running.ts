import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { addressOf } from './embedded-server.js';

const text = (file: string) => readFile(file, 'utf8').catch(() => '');

/** Connection string of the embedded PostgreSQL that a running service keeps on this data directory; null when none runs. */
export async function runningEmbedded(dataDir: string): Promise<string | null> {
  const directory = resolve(dataDir);
  const home = (await text(join(directory, 'elsewhere'))) || directory;
  // PostgreSQL writes its process id into the first line of this file, its port into the fourth, and where its socket is into the next.
  const [pid, , , port, sockets = ''] = (await text(join(home, 'postgres', 'postmaster.pid'))).split('\n');
  const password = await text(join(home, 'password'));
  if (!pid || !port || !password || !isAlive(Number(pid))) return null;
  return addressOf({ port: Number(port), sockets: sockets.trim() }, password, 'courtside');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
