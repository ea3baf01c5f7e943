import { once } from 'node:events';
import { portOf } from '../../process/port.js';
import { StartProblem } from '../../process/start-problem.js';
import { type Exchange, entryOf } from './entry.js';
import { createHarFile } from './har-file.js';
import type { RecordingOptions } from './options.js';
import { createRecordingProxy } from './proxy.js';
import { createRedactor } from './redact.js';

const isBelow = (path: string, parent: string) => {
  const plain = path.replace(/^\/+/, '/');
  return plain === parent || plain.startsWith(parent.endsWith('/') ? parent : `${parent}/`) || plain.startsWith(`${parent}?`);
};

/** Resolves on the first signal. The handlers are not removed, because npm repeats the signal of Ctrl-C. */
const waitForSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });

function createFile(path: string) {
  try {
    return createHarFile(path);
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new StartProblem(
      exists
        ? `${path} already exists: choose another name for --out.`
        : `${path} cannot be written: check that the folder exists and is writable.`,
    );
  }
}

/** Records requests until a signal such as Ctrl-C arrives. */
export async function recordTraffic({ upstream, out, port, host, only }: RecordingOptions): Promise<void> {
  const file = createFile(out);
  const redact = createRedactor();
  // Exchanges are redacted in order, because secrets of earlier exchanges are also replaced in later exchanges.
  let pendingWrites = Promise.resolve();
  const onExchange = (exchange: Exchange) => {
    pendingWrites = pendingWrites
      .then(async () => file.add(await entryOf(exchange, redact)))
      .catch((error: Error) => {
        console.error(`Could not record a request: ${error.message}`);
      });
  };
  const server = createRecordingProxy({
    upstream,
    onExchange,
    isRecorded: (path) => only.some((parent) => isBelow(path, parent)),
  });
  server.listen(port, host);
  await once(server, 'listening').catch(() => {
    throw new StartProblem(`Port ${port} on ${host} is in use or cannot be opened: choose another --port or --host.`);
  });
  console.log(`Recording requests from http://${host}:${portOf(server)} to ${upstream} in ${out}. Press Ctrl-C to stop.`);
  await waitForSignal();
  server.close();
  server.closeAllConnections();
  await pendingWrites;
  file.close();
  console.log(`Recorded ${file.entries} requests in ${out}.`);
}
