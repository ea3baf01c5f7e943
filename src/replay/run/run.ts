import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { StartProblem } from '../../process/start-problem.js';
import { type ComparedServer, connectionFailure, connectServer } from '../comparison/server.js';
import { createRedactor } from '../recording/redact.js';
import { findingsByRoute } from './findings.js';
import type { ReplayOptions } from './options.js';
import { readRecording } from './recorded.js';
import { compareRecordedStatuses } from './recorded-statuses.js';
import { createValueRedactor, reportOf } from './report.js';
import { sendAll } from './send.js';
import { type ReplaySide, ServerTranslator, tokensOf } from './server-translator.js';
import { createProgressReporter, summaryOf } from './summary.js';

/** Maximum size of a response, in bytes. */
const maxResponseSize = 64 * 2 ** 20;

/** Returns a URL without credentials, query or trailing slash. */
const displayUrl = (address: string) => {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/$/, '');
};

function writeReport(report: string, text: string): void {
  try {
    writeFileSync(report, text, { mode: 0o600 });
  } catch {
    throw new StartProblem(`${report} cannot be written: check that the folder exists and is writable.`);
  }
}

/**
 * Replays a recording and prints a summary. Returns false if no request was sent, if responses differ, or if every status differs from the
 * recording. Otherwise, returns true.
 */
export async function replayFile(options: ReplayOptions): Promise<boolean> {
  const recording = readRecording(options);
  for (const side of ['old', 'new'] as const) {
    const failure = await connectionFailure(options[side], options.timeoutMs);
    if (failure) throw new StartProblem(`--${side}: ${displayUrl(options[side])} ${failure}.`);
  }
  // Checks that the report can be written before the replay starts, because the replay can take hours.
  if (options.report) writeReport(options.report, '');
  const requestOptions = { timeoutMs: options.timeoutMs, maxBytes: maxResponseSize, connections: options.concurrency };
  const oldServer = connectServer(options.old, requestOptions);
  const newServer = connectServer(options.new, requestOptions);
  const { requests } = recording;
  const isTTY = process.stderr.isTTY === true;
  const onProgress = createProgressReporter(requests.length, { isTTY, write: (text) => process.stderr.write(text) });
  const withTranslator = (server: ComparedServer, side: ReplaySide) => ({
    server,
    translator: new ServerTranslator(tokensOf(options.tokens, side)),
  });
  const { concurrency, maxRate } = options;
  const comparedRequests = await sendAll(requests, {
    oldServer: withTranslator(oldServer, 'old'),
    newServer: withTranslator(newServer, 'new'),
    concurrency,
    maxRate,
    onProgress,
  });
  oldServer.close();
  newServer.close();
  const routes = findingsByRoute(comparedRequests, options.ignoredPaths);
  const statuses = compareRecordedStatuses(comparedRequests);
  for (const line of summaryOf(routes, recording, statuses)) console.log(line);
  if (options.report) {
    const redactValue = createValueRedactor(createRedactor(), options.tokens.values());
    const details = {
      old: displayUrl(options.old),
      new: displayUrl(options.new),
      file: basename(options.file),
      createdAt: new Date(),
    };
    writeReport(options.report, reportOf(routes, recording, statuses, { ...details, redactValue }));
    console.log(`Wrote the report to ${options.report}.`);
  }
  return requests.length > 0 && !statuses.allDiffer && routes.every(({ differentCount }) => differentCount === 0);
}
