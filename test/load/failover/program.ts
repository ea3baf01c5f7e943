import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '../../support/prerequisites.js';

/** A running program. */
export interface Program {
  readonly child: ChildProcess;
  isUp(): boolean;
  signal(name: NodeJS.Signals): void;
  /** Sends a signal and waits for the exit. */
  end(name?: NodeJS.Signals): Promise<void>;
}

/** Starts a program with its output in a file. */
export function startProgram(
  path: string,
  { args, env, log, uid, gid }: { args: string[]; env: Record<string, string>; log: string; uid?: number; gid?: number },
): Program {
  const child = spawn(path, args, { env, cwd: '/', uid, gid, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = createWriteStream(log, { flags: 'a' });
  child.stdout.pipe(output);
  child.stderr.pipe(output);
  const exit = once(child, 'exit');
  const isUp = () => child.exitCode === null && child.signalCode === null;
  return {
    child,
    isUp,
    signal: (name) => child.kill(name),
    async end(name = 'SIGTERM') {
      if (isUp()) child.kill(name);
      await exit;
    },
  };
}

/** Programs of the database cluster, and the account that runs them. */
export interface ClusterPrograms {
  readonly patroni: string;
  readonly etcd: string;
  /** Owner of the data. Null if the programs run with the account of this process. */
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  /** Whether this process starts the programs as the owner. The wrappers of `.ci/install-patroni` change the account themselves. */
  readonly dropsRights: boolean;
}

function accountOf(name: string, passwordFile: string): { uid: number; gid: number } {
  const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(readFileSync(passwordFile, 'utf8')) ?? [];
  if (!uid || !gid) throw new Error(`${passwordFile} has no user ${name}`);
  return { uid: Number(uid), gid: Number(gid) };
}

/** Finds Patroni and etcd in the PATH. If they are missing, installs them with PostgreSQL into a Debian system in a directory. */
export function findClusterPrograms(directory: string): ClusterPrograms {
  const [patroni, etcd] = [programPath('patroni'), programPath('etcd')];
  const isRoot = process.getuid?.() === 0;
  if (patroni && etcd) return { patroni, etcd, owner: isRoot ? accountOf('postgres', '/etc/passwd') : null, dropsRights: isRoot };
  if (!isRoot || !programPath('debootstrap'))
    throw new Error('needs Patroni and etcd in the PATH, or root and debootstrap to install them in a directory');
  const bin = execFileSync('.ci/install-patroni', [directory], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
  const owner = accountOf('postgres', join(directory, 'root/etc/passwd'));
  return { patroni: join(bin, 'patroni'), etcd: join(bin, 'etcd'), owner, dropsRights: false };
}
