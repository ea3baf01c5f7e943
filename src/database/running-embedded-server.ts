import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { connectionUrl } from './embedded-server.js';

const readText = (file: string) => readFile(file, 'utf8').catch(() => '');

/** Connection string of the running embedded PostgreSQL in a data directory. Null if none runs. */
export async function runningEmbedded(dataDir: string): Promise<string | null> {
  const directory = resolve(dataDir);
  const home = (await readText(join(directory, 'elsewhere'))) || directory;
  // Line 1 of this file is the process ID, line 4 the port, and line 5 the socket directory.
  const [pid, , , port, sockets = ''] = (await readText(join(home, 'postgres', 'postmaster.pid'))).split('\n');
  const password = await readText(join(home, 'password'));
  if (!pid || !port || !password || !isAlive(Number(pid))) return null;
  return connectionUrl({ port: Number(port), socketDirectory: sockets.trim() }, password, 'courtside');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
