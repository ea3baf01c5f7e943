import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '../../../src/database/embedded.js';
import { binariesFor } from '../../../src/database/embedded-binaries.js';
import { resolveHome } from '../../../src/database/embedded-home.js';
import { launchServer } from '../../../src/database/embedded-server.js';
import { migrate } from '../../../src/database/migrate.js';
import { openOrm } from '../../../src/database/orm.js';
import { Pools, Session } from '../../../src/kernel/session.js';
import { loadReference } from '../../../src/modules/reference/load-sql.js';

/** A PostgreSQL server for fault injection. Nothing restarts a stopped server except `restart`. */
export interface Postgres {
  readonly url: string;
  readonly port: number;
  /** Sends a signal to the server process and its child processes. */
  signal(name: NodeJS.Signals): Promise<void>;
  /** Stops the server. `fast` is a regular shutdown. `immediate` has the same effect as a crash. */
  shutDown(mode: 'fast' | 'immediate'): Promise<void>;
  /** Whether the server is running. */
  isUp(): boolean;
  /** Restarts the stopped server with the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Settings for tests. Unlike disposable databases, the server keeps the durability defaults, so it flushes to disk before it confirms a
 * commit.
 */
const settings = { timezone: 'UTC', jit: 'off', max_connections: '200' };

/** Creates the tables, the reference data and 200 tournaments. */
export async function fill(url: string): Promise<void> {
  const orm = await openOrm({ url });
  await migrate(orm);
  const sql = new Session(new Pools(orm), 'write');
  await loadReference(sql);
  await sql.rows(
    `insert into tournament (id, title) select 'chaos-' || n, 'Tournament ' || n from generate_series(1, 200) n`,
    [],
  );
  await orm.close();
}

/** Returns the ID of a process and the IDs of its children, in this order. */
export async function processTree(pid: number): Promise<number[]> {
  const parents = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
        return { pid: Number(name), parent: Number(/.*\) \S (\d+)/.exec(stat)?.[1]) };
      }),
  );
  return [pid, ...parents.flatMap((each) => (each.parent === pid ? [each.pid] : []))];
}

export function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Creates a wrapper script that starts `postgres` with environment variables, for example to preload a library. Returns its directory. */
async function wrapped(bin: string, directory: string, variables: Record<string, string>): Promise<string> {
  const own = join(directory, 'bin');
  await mkdir(own, { recursive: true });
  const assigned = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  await writeFile(join(own, 'postgres'), `#!/bin/sh\n${assigned.join(' ')} exec '${join(bin, 'postgres')}' "$@"\n`);
  await chmod(own, 0o755);
  await chmod(join(own, 'postgres'), 0o755);
  return own;
}

/** Starts a server with its data in a directory, and creates the tables, the reference data and 200 tournaments. */
export async function startPostgres(directory: string, variables: Record<string, string> = {}): Promise<Postgres> {
  const first = await startEmbedded(directory);
  await fill(first.url).finally(() => first.stop());
  const home = await resolveHome(directory);
  const bin = await binariesFor(home.account);
  const start = {
    bin: Object.keys(variables).length ? await wrapped(bin, directory, variables) : bin,
    data: join(home.directory, 'postgres'),
    log: join(home.directory, 'postgres.log'),
    account: home.account,
    settings,
  };
  const { pathname, password } = new URL(first.url);
  let isUp = true;
  const run = async (port?: number) => {
    const server = await launchServer(start, port);
    isUp = true;
    void server.exit.then(() => (isUp = false));
    return server;
  };
  let server = await run();
  const { port } = server;
  const pidOfServer = async () => Number((await readFile(join(start.data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  return {
    url: `postgresql://courtside:${password}@127.0.0.1:${port}${pathname}`,
    port,
    async signal(name) {
      // The server process gets the signal first, so that it cannot restart its child processes. Some may exit before they get the signal.
      for (const each of await processTree(await pidOfServer())) send(each, name);
    },
    async shutDown(mode) {
      send(await pidOfServer(), mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await server.exit;
    },
    isUp: () => isUp,
    async restart() {
      await server.exit;
      server = await run(port);
    },
    async stop() {
      if (isUp) await server.stop();
    },
  };
}
