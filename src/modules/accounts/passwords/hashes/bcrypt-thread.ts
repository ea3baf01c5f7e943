import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

/** Identifies the thread that this module starts. */
const threadName = 'bcrypt';

interface Comparison {
  readonly password: string;
  readonly hash: string;
}

let thread: Worker | null = null;

/**
 * Compares a password with a bcrypt hash in a separate thread, because it takes up to a second of JavaScript. Does not support concurrent
 * calls.
 */
export async function compareInThread(password: string, hash: string): Promise<boolean> {
  thread ??= new Worker(new URL(import.meta.url), { workerData: threadName, execArgv: [] });
  thread.ref();
  try {
    const result = once(thread, 'message');
    thread.postMessage({ password, hash } satisfies Comparison);
    return (await result)[0] === true;
  } catch (error) {
    thread = null;
    throw error;
  } finally {
    // The idle thread does not keep the process running.
    thread?.unref();
  }
}

// The thread runs this module, too.
if (workerData === threadName)
  parentPort?.on('message', ({ password, hash }: Comparison) => parentPort?.postMessage(compareSync(password, hash)));
