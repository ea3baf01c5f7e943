import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartProblem } from '../start-problem.js';

/**
 * Takes the data directory for this process, or says that another one has it. Returns how to give it back.
 *
 * Node has no flock(), and a file with a process id lies after `kill -9`. SQLite locks its file with the kernel, which
 * frees the lock with the process, however that ends. The file stays empty.
 */
export function takeDirectory(directory: string): () => void {
  const lock = new DatabaseSync(join(directory, 'lock'));
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!String(error).includes('locked'))
      throw new StartProblem(`${join(directory, 'lock')} cannot be written to: start as its owner.`);
    throw new StartProblem(
      `Another Courtside is using ${directory}: stop it, or set DATA_DIR to another directory, or share one database with DATABASE_URL.`,
    );
  }
  return () => {
    if (lock.isOpen) lock.close();
  };
}
