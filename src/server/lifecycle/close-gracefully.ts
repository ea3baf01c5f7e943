import closeWithGrace from 'close-with-grace';
import type { OpenResources } from './open-resources.js';

/** State of the shutdown. */
export interface ShutdownState {
  readonly hasStarted: boolean;
}

/** Closes all resources and exits on the first signal, on an uncaught error, or when the parent process has exited. */
export function closeGracefully(resources: OpenResources, exitImmediately: () => void): ShutdownState {
  let startedAt = 0;
  const graceful = closeWithGrace({ delay: 25_000, logger: false, skip: ['SIGINT', 'SIGTERM', 'SIGHUP'] }, async ({ err }) => {
    // Prints only the stack, because other properties of database errors contain personal data.
    if (err)
      console.error('Courtside is stopping because of an unexpected error.', err instanceof Error ? err.stack : typeof err);
    await resources.close();
  });
  const startClosing = (draining: Promise<void> = Promise.resolve()) => {
    startedAt = Date.now();
    void draining.then(() => graceful.close());
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // After SIGTERM, load balancers need time to switch to other processes. After Ctrl-C, a person is waiting, so the shutdown starts
      // immediately.
      if (!startedAt) startClosing(signal === 'SIGTERM' ? resources.beforeClose() : undefined);
      // Under npm, one Ctrl-C sends two signals, from the terminal and from npm. Only a later signal forces an immediate exit.
      else if (Date.now() - startedAt > 1000) exitImmediately();
    });
  }
  // The IPC channel closes when the parent exits, even if it is killed.
  process.once('disconnect', () => startedAt || startClosing());
  // The service keeps running if a process that reads its output, such as `head`, exits.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return {
    get hasStarted() {
      return startedAt > 0;
    },
  };
}
