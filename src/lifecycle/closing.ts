import closeWithGrace from 'close-with-grace';
import type { Opened } from './opened.js';

/** Resources to close, and whether closing has started. */
export interface Closing {
  readonly hasBegun: boolean;
}

/** Closes all resources and exits on the first signal, on an uncaught error, or when the parent process has exited. */
export function closeInTime(opened: Opened, atOnce: () => void): Closing {
  let began = 0;
  const grace = closeWithGrace({ delay: 25_000, logger: false, skip: ['SIGINT', 'SIGTERM', 'SIGHUP'] }, async ({ err }) => {
    if (err) console.error('Courtside stops because of an unexpected error.', err);
    await opened.close();
  });
  const begin = (drained: Promise<void> = Promise.resolve()) => {
    began = Date.now();
    void drained.then(() => grace.close());
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // With Ctrl-C, a person waits for the exit. With SIGTERM, load balancers need time to switch to other processes.
      if (!began) begin(signal === 'SIGTERM' ? opened.drain() : undefined);
      // Under npm, one Ctrl-C arrives twice: from the terminal and from npm. Only a later one forces an immediate exit.
      else if (Date.now() - began > 1000) atOnce();
    });
  }
  // The IPC channel closes when the parent exits, even if it is killed.
  process.once('disconnect', () => began || begin());
  // The service keeps running if the reader of its output, such as `head`, exits.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return {
    get hasBegun() {
      return began > 0;
    },
  };
}
