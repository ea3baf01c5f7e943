import { quantity } from '../../process/quantity.js';
import type { RouteFindings } from './findings.js';
import type { Recording } from './recorded.js';
import type { RecordedStatuses } from './recorded-statuses.js';

/** Returns the name of a difference, such as `value at results[].seed`. */
export const differenceName = ({ kind, path }: { kind: string; path: string }): string => (path ? `${kind} at ${path}` : kind);

/** Returns lines about the requests that were not sent. */
export function skippedLines({ skippedWriteCount, unselectedCount, bodilessCount }: Recording): string[] {
  return [
    skippedWriteCount ? `Skipped ${quantity(skippedWriteCount, 'request')} that may change data: add --writes to send them.` : '',
    unselectedCount ? `Skipped ${quantity(unselectedCount, 'request')} that --only does not select.` : '',
    bodilessCount ? `Skipped ${quantity(bodilessCount, 'request')} without a recorded body.` : '',
  ].filter(Boolean);
}

/** Returns the result of a replay in one sentence. */
export function verdictOf(routes: readonly RouteFindings[]): string {
  const requestCount = routes.reduce((sum, route) => sum + route.requestCount, 0);
  const differentRoutes = routes.filter((route) => route.differentCount > 0);
  const differentCount = differentRoutes.reduce((sum, route) => sum + route.differentCount, 0);
  const scope = `${quantity(requestCount, 'request')} to ${quantity(routes.length, 'route')}`;
  if (requestCount === 0) return 'No requests were sent.';
  return differentCount === 0
    ? `${scope}: all responses are the same.`
    : `${scope}: ${quantity(differentCount, 'response')} from ${quantity(differentRoutes.length, 'route')} ${differentCount === 1 ? 'differs' : 'differ'}.`;
}

/** Returns the lines of a summary for the terminal. They contain no values from responses. */
export function summaryOf(routes: readonly RouteFindings[], recording: Recording, statuses: RecordedStatuses): string[] {
  const lines = routes.flatMap(({ route, requestCount, differentCount, findings, ignoredDifferences }) => {
    const noise = ignoredDifferences.length
      ? [`  ignored, because responses of the old server also differ: ${ignoredDifferences.map(differenceName).join(', ')}`]
      : [];
    if (differentCount === 0 && noise.length === 0) return [];
    const lines = findings.map((finding) => `  ${differenceName(finding)} (${finding.count})`);
    const responses = quantity(requestCount, 'response');
    const conclusion =
      differentCount === 0
        ? `${responses}, no differences`
        : `${differentCount} of ${responses} ${differentCount === 1 ? 'differs' : 'differ'}`;
    return [`${route}: ${conclusion}`, ...lines, ...noise];
  });
  return [...lines, ...skippedLines(recording), verdictOf(routes), ...statuses.lines];
}

/** Width of the progress bar, in characters. */
const width = 30;

/**
 * Returns a function that reports progress. On a terminal, it prints a progress bar. Otherwise, it prints a line after every 10% of the requests.
 */
export function createProgressReporter(
  total: number,
  { isTTY, write }: { isTTY: boolean; write: (text: string) => unknown },
): (count: number) => void {
  let reportedTenth = 0;
  return (count) => {
    if (isTTY) {
      const filledWidth = Math.round((count / total) * width);
      const end = count === total ? '\n' : '';
      write(`\r${'█'.repeat(filledWidth)}${'░'.repeat(width - filledWidth)} ${count}/${total}${end}`);
      return;
    }
    const tenth = Math.floor((count * 10) / total);
    if (tenth === reportedTenth) return;
    reportedTenth = tenth;
    write(`${count} of ${total} requests\n`);
  };
}
