import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { StartProblem } from '../../process/start-problem.js';
import { connectServer } from '../comparison/server.js';
import { redaction } from '../recording/redact.js';
import { byRoute } from './findings.js';
import type { ReplayOptions } from './options.js';
import { progressOf } from './progress.js';
import { recordingOf } from './recorded.js';
import { reportOf } from './report.js';
import { sendAll } from './send.js';
import { ServerNames } from './server-names.js';
import { shownValues } from './shown-values.js';
import { summaryOf } from './summary.js';
import { type Side, tokensOf } from './tokens.js';

/** Maximum size of a response, in bytes. */
const maxResponseSize = 64 * 2 ** 20;

/** A URL without credentials and without a slash at the end. */
const displayUrl = (address: string) => {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/$/, '');
};

function write(report: string, text: string): void {
  try {
    writeFileSync(report, text, { mode: 0o600 });
  } catch {
    throw new StartProblem(`${report} cannot be written: check that the folder exists and is writable.`);
  }
}

/** Replays a recording and prints a summary. Returns whether requests were sent and all responses are the same. */
export async function replayFile(options: ReplayOptions): Promise<boolean> {
  const recording = recordingOf(options);
  // Fails early: the replay can take hours.
  if (options.report) write(options.report, '');
  const requestOptions = { timeoutMs: options.timeoutMs, maxBytes: maxResponseSize, connections: options.concurrency };
  const [old, now] = [await connectServer(options.old, requestOptions), await connectServer(options.new, requestOptions)];
  const { requests } = recording;
  const isTTY = process.stderr.isTTY === true;
  const onProgress = progressOf(requests.length, { isTTY, write: (text) => process.stderr.write(text) });
  const withNames = (server: typeof old, side: Side) => ({ server, names: new ServerNames(tokensOf(options.tokens, side)) });
  const { concurrency, rate } = options;
  const comparedRequests = await sendAll(requests, {
    old: withNames(old, 'old'),
    now: withNames(now, 'new'),
    concurrency,
    rate,
    onProgress,
  });
  old.close();
  now.close();
  const routes = byRoute(comparedRequests, options.ignored);
  for (const line of summaryOf(routes, recording)) console.log(line);
  if (options.report) {
    const showValue = shownValues(redaction(), options.tokens.values());
    const details = {
      old: displayUrl(options.old),
      new: displayUrl(options.new),
      file: basename(options.file),
      createdAt: new Date(),
    };
    write(options.report, reportOf(routes, recording, { ...details, showValue }));
    console.log(`Wrote the report to ${options.report}.`);
  }

  return requests.length > 0 && routes.every(({ differentResponses }) => differentResponses === 0);
}
