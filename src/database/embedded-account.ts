import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { StartProblem } from '../start-problem.js';

/** The system user as whom PostgreSQL runs; empty when that is the one who started the service. */
export interface Account {
  uid?: number;
  gid?: number;
}

/**
 * PostgreSQL refuses to run as root. Root lends it to the user who owns the data already, else to `postgres`, else to
 * `nobody`, who exists everywhere: creating a user would change the machine and needs tools that small images lack.
 */
export async function accountFor(data: string): Promise<Account> {
  const owner = await stat(data).catch(() => null);
  const me = process.getuid?.();
  if (me !== 0 && owner && owner.uid !== me) {
    throw new StartProblem(`${data} belongs to another user: start as that one, or set DATA_DIR to another directory.`);
  }
  if (me !== 0) return {};
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (!account) {
    throw new StartProblem(
      'PostgreSQL does not run as root: create a user named postgres, or start as another user, or set DATABASE_URL.',
    );
  }
  return account;
}

function lookUp(name: string): Account | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number.parseInt(spawnSync('id', [flag, name]).stdout?.toString() ?? '', 10));
  return uid && gid ? { uid, gid } : null;
}

/** Whether the account may pass through a directory, parents included. Asked of the system itself, which knows about ACLs and mounts. */
export function mayEnter(account: Account, directory: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', directory], { ...account, cwd: '/' }).status === 0;
}
