import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { StartProblem } from '../process/start-problem.js';

/** System user that runs PostgreSQL. Empty if it is the user that runs this process. */
export interface Account {
  uid?: number;
  gid?: number;
}

/**
 * Returns the system user that runs PostgreSQL, which refuses to run as root. If this process runs as root, PostgreSQL runs as the owner of
 * the data. If root owns the data, or there is no data yet, PostgreSQL runs as `postgres`, or as `nobody` on systems without a user
 * `postgres`. This function does not create a user, because that would change the machine, and small container images lack the tools for
 * this. Throws a StartProblem if no user is suitable, or if the data belongs to another user.
 */
export async function accountFor(data: string): Promise<Account> {
  const owner = await stat(data).catch(() => null);
  const processUid = process.getuid?.();
  if (processUid !== 0 && owner && owner.uid !== processUid) {
    throw new StartProblem(`${data} belongs to another user: start as that user, or set DATA_DIR to another directory.`);
  }
  if (processUid !== 0) return {};
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = findAccount('postgres') ?? findAccount('nobody');
  if (!account) {
    throw new StartProblem(
      'PostgreSQL cannot run as root: create a user named postgres, start Courtside as another user, or set DATABASE_URL.',
    );
  }
  return account;
}

function findAccount(name: string): Account | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number.parseInt(spawnSync('id', [flag, name]).stdout?.toString() ?? '', 10));
  return uid && gid ? { uid, gid } : null;
}

/**
 * Whether the account can enter a directory. Runs a system command, because only the system considers parent directories, ACLs and mounts.
 */
export function canEnter(account: Account, directory: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', directory], { ...account, cwd: '/' }).status === 0;
}
