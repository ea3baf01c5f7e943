import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { accountFor } from '../../src/database/embedded-account.js';
import { freePort } from '../../src/port.js';
import { scratchDirectory } from './service.js';

const versions = existsSync('/usr/lib/postgresql')
  ? readdirSync('/usr/lib/postgresql')
      .map(Number)
      .sort((a, b) => b - a)
  : [];

/** Programs of a PostgreSQL 16 or newer that is installed, with `pg_dump` and the extensions; null where there is none. The embedded one has no such tools. */
export const tools: string | null =
  versions
    .filter((version) => version >= 16 && existsSync(`/usr/share/postgresql/${version}/extension/earthdistance.control`))
    .map((version) => `/usr/lib/postgresql/${version}/bin`)
    .find((bin) => existsSync(join(bin, 'pg_dump')) && existsSync(join(bin, 'initdb'))) ?? null;

/** A server of that PostgreSQL, and its tools. */
export interface Server {
  /** Makes a database; its URL. */
  database(name: string): Promise<string>;
  run(tool: string, ...args: string[]): void;
  /** A file that the tools may write. */
  file: string;
  stop(): Promise<void>;
}

async function up(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: url });
    const isUp = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (isUp) return;
    if (server.exitCode !== null) throw new Error('PostgreSQL does not start');
    await sleep(50);
  }
}

export async function startServer(bin: string): Promise<Server> {
  const [directory, port] = [await scratchDirectory(), await freePort()];
  const data = join(directory, 'data');
  const account = await accountFor(data);
  if (account.uid !== undefined) chownSync(directory, account.uid, account.gid ?? account.uid);
  const as = { ...account, cwd: directory, stdio: 'ignore' } as const;
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'courtside', '-A', 'trust', '-E', 'UTF8', '--no-sync'], as);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'].flatMap((text) => ['-c', text]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings], as);
  const urlOf = (name: string) => `postgresql://courtside@127.0.0.1:${port}/${name}`;
  await up(urlOf('postgres'), server);
  return {
    file: join(directory, 'backup'),
    run: (tool, ...args) => void execFileSync(join(bin, tool), args, { ...as, stdio: ['ignore', 'ignore', 'inherit'] }),
    async database(name) {
      execFileSync(join(bin, 'createdb'), [`--maintenance-db=${urlOf('postgres')}`, name], as);
      return urlOf(name);
    },
    async stop() {
      server.kill('SIGINT');
      await once(server, 'exit');
    },
  };
}
