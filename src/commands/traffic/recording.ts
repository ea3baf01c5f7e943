import { once } from 'node:events';
import { portOf } from '../../port.js';
import { StartProblem } from '../../start-problem.js';
import type { RecordingOptions } from '../record-options.js';
import { type Exchange, entryOf } from './entry.js';
import { newHarFile } from './har-file.js';
import { recordingProxy } from './proxy.js';
import { redaction } from './redact.js';

const isBelow = (path: string, above: string) => {
  const plain = path.replace(/^\/+/, '/');
  return plain === above || plain.startsWith(above.endsWith('/') ? above : `${above}/`) || plain.startsWith(`${above}?`);
};

/** From a terminal npm tells it once more. */
const signalled = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });

function opened(path: string) {
  try {
    return newHarFile(path);
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new StartProblem(isThere ? `${path} is there already: name a new file.` : `${path} cannot be written.`);
  }
}

/** Records until it is told to stop. */
export async function recordTraffic({ upstream, out, port, host, only }: RecordingOptions): Promise<void> {
  const file = opened(out);
  const redact = redaction();
  // One after the other: what an exchange makes known is known to the next.
  let written = Promise.resolve();
  const done = (exchange: Exchange) => {
    written = written
      .then(async () => file.add(await entryOf(exchange, redact)))
      .catch((error: Error) => {
        console.error(`A request was not recorded: ${error.message}`);
      });
  };
  const server = recordingProxy({ upstream, done, wants: (path) => only.some((above) => isBelow(path, above)) });
  server.listen(port, host);
  await once(server, 'listening').catch(() => {
    throw new StartProblem(`Port ${port} of ${host} is taken, or cannot be opened.`);
  });
  console.log(`Recording http://${host}:${portOf(server)} → ${upstream} into ${out}. Ctrl-C stops it.`);
  await signalled();
  server.close();
  server.closeAllConnections();
  await written;
  file.close();
  console.log(`${file.entries} requests recorded in ${out}.`);
}
