import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../port.js';
import { StartProblem } from '../start-problem.js';
import type { Account } from './embedded-account.js';

/** What a PostgreSQL server is started with. */
export interface Launch {
  bin: string;
  data: string;
  log: string;
  account: Account;
  settings: Record<string, string>;
}

/** A PostgreSQL server that accepts connections. */
export interface Server {
  port: number;
  /** The directory of its Unix socket; empty where it has none. */
  sockets: string;
  gone: Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Runs a program in a process group of its own, so that Ctrl-C does not reach it, and interrupts it when this process
 * ends, however it ends: the system closes the pipe that the shell in the background reads.
 */
export async function spawnGuarded(program: string, args: string[], account: Account, log: string): Promise<ChildProcess> {
  const guard = 'exec 3<&0 </dev/null; ( ( read -r _ <&3; kill -INT $$ ) >/dev/null 2>&1 & ); exec 3<&-; exec "$@"';
  const output = await open(log, 'w', 0o600);
  try {
    return spawn('/bin/sh', ['-c', guard, 'sh', program, ...args], {
      ...account,
      cwd: '/',
      detached: true,
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', output.fd, output.fd],
    });
  } finally {
    await output.close();
  }
}

/**
 * Starts the server on a free port, or on the given one, and waits until it accepts connections; `waiting` is called when that begins. It has a
 * Unix socket beside its data, by which a statement takes a quarter less of both processors, unless sockets have no room there: their paths are
 * short, and not every file system has them.
 */
export async function launch(options: Launch, port?: number, waiting?: () => void): Promise<Server> {
  let sockets = options.data;
  for (let attempt = 1; ; attempt++) {
    const at = port ?? (await freePort());
    await removeSockets(options.data);
    const child = await spawnGuarded(join(options.bin, 'postgres'), flags(options, at, sockets), options.account, options.log);
    const gone = ended(child);
    waiting?.();
    while (isRunning(child)) {
      if (await isReady(options.data, child.pid)) return { port: at, sockets, gone, stop: () => stop(child, gone) };
      await sleep(20);
    }
    const reason = await lastWords(options.log);
    if (sockets && /Unix/.test(reason)) {
      sockets = '';
      continue;
    }
    // Somebody took the port in between, or the last processes of a killed server are still dying.
    const passing = /already in use|still in use/.test(reason) && attempt < 20;
    if (!passing) throw new StartProblem(`PostgreSQL did not start: ${reason}; see ${options.log}.`);
    await sleep(100);
  }
}

const isRunning = ({ pid, exitCode, signalCode }: ChildProcess) => pid !== undefined && exitCode === null && signalCode === null;

/** The exit code of a program, once it has ended; null when a signal ended it or it could not be started. */
export const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((done) => child.once('exit', done).once('error', () => done(null)));

function flags({ data, settings }: Launch, port: number, sockets: string): string[] {
  const all = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: quoted(sockets), ...settings };
  return ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** A directory in a list of such: names in it may have commas and spaces. */
const quoted = (directory: string): string => directory && `"${directory.replaceAll('"', '""')}"`;

/** The connection string of a database of a server. */
export function addressOf({ port, sockets }: Pick<Server, 'port' | 'sockets'>, password: string, database: string): string {
  const query = sockets && `?host=${encodeURIComponent(sockets)}`;
  return `postgresql://courtside:${password}@127.0.0.1:${port}/${database}${query}`;
}

/** The server keeps its process id in the first line of this file, and its state in the eighth. */
async function isReady(data: string, pid: number | undefined): Promise<boolean> {
  const lines = await postmasterFile(data);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

const postmasterFile = async (data: string): Promise<string[]> =>
  (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');

/** The last complaint of a server that did not start. */
export async function lastWords(log: string): Promise<string> {
  const lines = (await readFile(log, 'utf8')).trim().split('\n');
  const fatal = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? '';
  const bind = lines.find((line) => line.includes('already in use'));
  return (bind ?? fatal).replace(/^.*?(FATAL|PANIC|LOG|error):\s*/, '');
}

async function stop(child: ChildProcess, gone: Promise<unknown>): Promise<void> {
  // Fast (roll back, write, end), and if that takes long, immediate: the next start recovers from the log.
  child.kill('SIGINT');
  const patience = setTimeout(() => child.kill('SIGQUIT'), 10_000);
  await gone;
  clearTimeout(patience);
}

/** Stops a server that still runs on the data because the one who started it was killed. */
export async function stopLeftover(data: string, waiting?: () => void): Promise<void> {
  const pid = Number((await postmasterFile(data))[0]);
  if (!pid) return;
  if (!isAlive(pid)) return;
  // After a restart of the machine another program may have its number, and PostgreSQL would not start because of it.
  if (!serves(pid, data)) return rm(join(data, 'postmaster.pid'));
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    process.kill(pid, signal);
    waiting?.();
    for (let waited = 0; waited < 10_000; waited += 20) {
      await sleep(20);
      if (!isAlive(pid) || !serves(pid, data)) return;
    }
  }
}

/** Removes the sockets of servers on that data that were killed: one on another port would leave them there. */
async function removeSockets(data: string): Promise<void> {
  const names = await readdir(data).catch(() => []);
  for (const name of names) if (name.startsWith('.s.PGSQL.')) await rm(join(data, name), { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function serves(pid: number, data: string): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === data;
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(data);
  } catch {
    return false;
  }
}
