import closeWithGrace from 'close-with-grace';
import type { Opened } from './opened.js';

/** What is being closed, and whether that has begun. */
export interface Closing {
  readonly hasBegun: boolean;
}

/** Closes what is open, and ends the process, on the first signal, on an error that nobody caught, and when the process is gone that started this one to serve it. */
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
      // Who presses Ctrl-C waits for the end; who sends SIGTERM has others to serve requests, who have to be told.
      if (!began) begin(signal === 'SIGTERM' ? opened.drain() : undefined);
      // Under npm one Ctrl-C arrives twice, from the terminal and from npm; only a later one means: at once.
      else if (Date.now() - began > 1000) atOnce();
    });
  }
  // The channel of a parent that wants to be outlived by nobody closes with it, also when it is killed.
  process.once('disconnect', () => began || begin());
  // A reader of the output that goes away, such as `head`, is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return {
    get hasBegun() {
      return began > 0;
    },
  };
}
