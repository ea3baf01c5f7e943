import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, cp, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../src/process/port.js';
import { type Missing, missingPrograms, programPath } from '../prerequisites.js';
import { scratchDirectory } from './service-process.js';

/** Reason for skipping tests that need a load balancer and connection poolers. Null if they are installed. */
export const missingBalancer = missingPrograms('haproxy', 'pgbouncer');

/** Returns the version of the installed HAProxy, such as `3.2.4`. */
const balancerVersion = (): string => {
  const { stdout } = spawnSync(programPath('haproxy') ?? 'haproxy', ['-v'], { encoding: 'utf8' });
  return /HAProxy version ([\d.]+)/.exec(stdout ?? '')?.[1] ?? '';
};

/** Reason for skipping tests of error files for malformed requests. Null if HAProxy uses these files. */
export const oldBalancer: Missing | null =
  missingBalancer ??
  (balancerVersion().localeCompare('3.2.4', undefined, { numeric: true }) >= 0
    ? null
    : { reason: 'needs HAProxy 3.2.4 or newer', isInstallable: false });

/** A system program that runs with a configuration from docs/deploy. */
export interface Program {
  port: number;
  stop(): Promise<void>;
}

async function run(program: string, args: string[], port: number, env: Record<string, string> = {}): Promise<Program> {
  // PgBouncer refuses to run as root.
  const unprivilegedUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const child = spawn(programPath(program) ?? program, args, {
    ...unprivilegedUser,
    env,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${output}`);
    await sleep(20);
  }
  return { port, stop: () => end(child) };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const came = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(
    () => false,
  );
  socket.destroy();
  return came;
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

const configuration = (name: string, changes: readonly (readonly [string | RegExp, string])[]): string =>
  changes.reduce(
    (text, [from, to]) => {
      const changed = text.replace(from, to);
      if (changed === text) throw new Error(`${name} has no ${from}`);
      return changed;
    },
    readFileSync(join('docs/deploy', name), 'utf8'),
  );

/** Starts one PgBouncer in transaction mode in front of the given database servers. Returns a connection string for each server. */
export async function startPgBouncer(servers: readonly string[]): Promise<Program & { urls: string[] }> {
  const directory = await scratchDirectory();
  const [port, users] = [await freePort(), join(directory, 'userlist.txt')];
  const [{ username, password, pathname }] = servers.map((url) => new URL(url)) as [URL];
  const [line = ''] = /^courtside = .*$/m.exec(configuration('pgbouncer.ini', [])) ?? [];
  const databases = servers.map((url, index) =>
    line
      .replace('courtside', `server${index}`)
      .replace('host=postgres port=5432', `host=${new URL(url).hostname} port=${new URL(url).port}`)
      .replace('dbname=courtside', `dbname=${pathname.slice(1)}`),
  );
  await writeFile(users, `"${username}" "${password}"\n`, { mode: 0o644 });
  const text = configuration('pgbouncer.ini', [
    [line, databases.join('\n')],
    ['/tmp/userlist.txt', users],
    ['listen_addr = *', 'listen_addr = 127.0.0.1'],
    ['listen_port = 6432', `listen_port = ${port}`],
  ]);
  await writeFile(join(directory, 'pgbouncer.ini'), text, { mode: 0o644 });
  const program = await run('pgbouncer', [join(directory, 'pgbouncer.ini')], port);
  const urls = servers.map((_, index) => `postgresql://${username}:${password}@127.0.0.1:${port}/server${index}`);
  return { ...program, urls };
}

/** Starts HAProxy in front of two database servers, with the ports of PostgreSQL and of the REST API of Patroni. */
export async function startDatabaseBalancer(servers: readonly { port: number; apiPort: number }[]): Promise<Program> {
  const [directory, port] = [await scratchDirectory(), await freePort()];
  const file = join(directory, 'haproxy-postgresql.cfg');
  await writeFile(file, configuration('haproxy-postgresql.cfg', [['inter 1s fastinter 500ms', 'inter 100ms']]));
  const [one, two] = servers;
  return run('haproxy', ['-db', '-f', file], port, {
    LISTEN: `127.0.0.1:${port}`,
    POSTGRES_ONE: `127.0.0.1:${one?.port}`,
    POSTGRES_TWO: `127.0.0.1:${two?.port}`,
    PATRONI_ONE: String(one?.apiPort),
    PATRONI_TWO: String(two?.apiPort),
  });
}

/**
 * Starts HAProxy in front of two services, with frequent health checks. `isUp` returns whether HAProxy considers a service to be up. `rules`
 * are added to the configuration of the backends.
 */
export async function startHaProxy(
  one: string,
  two: string,
  rules: readonly string[] = [],
): Promise<Program & { origin: string; isUp(server: string): Promise<boolean> }> {
  const directory = await scratchDirectory();
  const [port, stats] = [await freePort(), await freePort()];
  const text = configuration('haproxy.cfg', [
    ['inter 1s fastinter 200ms', 'inter 100ms'],
    [/^backend (services|graph)$/gm, ['$&', ...rules.map((rule) => `  ${rule}`), ''].join('\n')],
  ]);
  await cp('docs/deploy/haproxy-errors', join(directory, 'haproxy-errors'), { recursive: true });
  await writeFile(
    join(directory, 'haproxy.cfg'),
    `${text}\nfrontend stats\n  bind 127.0.0.1:${stats}\n  stats enable\n  stats uri /\n`,
  );
  const env = { LISTEN: `127.0.0.1:${port}`, COURTSIDE_ONE: new URL(one).host, COURTSIDE_TWO: new URL(two).host };
  const program = await run('haproxy', ['-db', '-f', join(directory, 'haproxy.cfg')], port, env);
  return {
    ...program,
    origin: `http://127.0.0.1:${port}`,
    isUp: async (server) =>
      (await (await fetch(`http://127.0.0.1:${stats}/;csv`)).text())
        .split('\n')
        .some((line) => line.startsWith(`services,${server},`) && line.split(',')[17] === 'UP'),
  };
}

/**
 * Starts HAProxy with the configuration for a migration, after replacing texts in it. `command` sends a command to its control socket, and returns the
 * response.
 */
export async function startMovingHaProxy(
  old: string,
  courtside: string,
  changes: readonly (readonly [string | RegExp, string])[] = [],
): Promise<Program & { origin: string; command(text: string): Promise<string> }> {
  const directory = await scratchDirectory();
  const [port, control] = [await freePort(), join(directory, 'control')];
  // HAProxy runs as a different user, which creates the socket in this directory.
  await chmod(directory, 0o777);
  const file = join(directory, 'haproxy.cfg');
  await writeFile(file, configuration('haproxy-moving.cfg', changes));
  const hosts = { OLD_SERVER: new URL(old).host, COURTSIDE: new URL(courtside).host };
  const program = await run('haproxy', ['-db', '-f', file], port, { LISTEN: `127.0.0.1:${port}`, CONTROL: control, ...hosts });
  return {
    ...program,
    origin: `http://127.0.0.1:${port}`,
    command: async (line) => text(connect(control).end(`${line}\n`)),
  };
}
