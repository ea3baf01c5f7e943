import { once } from 'node:events';
import { portOf } from '../port.js';
import { StartProblem } from '../start-problem.js';
import { type RecordingOptions, recordOptions, recordUsage } from './record-options.js';
import { type Exchange, entryOf } from './traffic/entry.js';
import { newHarFile } from './traffic/har-file.js';
import { recordingProxy } from './traffic/proxy.js';
import { redaction } from './traffic/redact.js';

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
async function record({ upstream, out, port, host, only }: RecordingOptions): Promise<void> {
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

if (import.meta.main) {
  const options = recordOptions(process.argv.slice(2));
  try {
    if (options) await record(options);
    else console.error(recordUsage);
    if (!options) process.exitCode = 2;
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
