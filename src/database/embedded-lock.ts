import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartProblem } from '../process/start-problem.js';

/**
 * Locks the data directory for this process. Throws a StartProblem if another process uses it. Returns a function that releases the lock.
 *
 * Node has no `flock()`, and a PID file remains after `kill -9`. SQLite locks its file through the kernel, which releases the lock when the process
 * exits. The file remains empty.
 */
export function lockDirectory(directory: string): () => void {
  const lock = new DatabaseSync(join(directory, 'lock'));
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!String(error).includes('locked'))
      throw new StartProblem(`${join(directory, 'lock')} is not writable: start Courtside as the owner of that file.`);
    throw new StartProblem(
      `Another Courtside process is using ${directory}: stop it, or set DATA_DIR to another directory, or share one database with DATABASE_URL.`,
    );
  }
  return () => {
    if (lock.isOpen) lock.close();
  };
}
