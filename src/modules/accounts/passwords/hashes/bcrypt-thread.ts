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
 * Compares a password with a bcrypt hash. Uses a separate thread, because the JavaScript implementation takes up to a second and would
 * block the event loop. Does not support concurrent calls.
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
    // An idle thread must not prevent the process from exiting.
    thread?.unref();
  }
}

// The thread loads this module, too. Only the thread handles messages.
if (workerData === threadName)
  parentPort?.on('message', ({ password, hash }: Comparison) => parentPort?.postMessage(compareSync(password, hash)));
