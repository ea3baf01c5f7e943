import type { RouteFindings } from './findings.js';
import type { Recording } from './recorded.js';

const quantity = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Name of a difference, such as `value at results[].seed`. */
export const differenceName = ({ kind, path }: { kind: string; path: string }): string => (path ? `${kind} at ${path}` : kind);

/** Lines about requests that were not sent. */
export function skippedLines({ writesLeft, excludedCount, bodiless }: Recording): string[] {
  return [
    writesLeft ? `Skipped ${quantity(writesLeft, 'request')} that may change data: add --writes to send them.` : '',
    excludedCount ? `Skipped ${quantity(excludedCount, 'request')} that --only does not select.` : '',
    bodiless ? `Skipped ${quantity(bodiless, 'request')} without a recorded body.` : '',
  ].filter(Boolean);
}

/** The result of a replay in one sentence. */
export function verdictOf(routes: readonly RouteFindings[]): string {
  const requests = routes.reduce((sum, each) => sum + each.requests, 0);
  const differing = routes.filter((each) => each.differentResponses > 0);
  const answers = differing.reduce((sum, each) => sum + each.differentResponses, 0);
  const scope = `${quantity(requests, 'request')} of ${quantity(routes.length, 'route')}`;
  if (requests === 0) return 'No requests were sent.';
  return answers === 0
    ? `${scope}: all responses are the same.`
    : `${scope}: ${quantity(answers, 'response')} of ${quantity(differing.length, 'route')} ${answers === 1 ? 'differs' : 'differ'}.`;
}

/** Summary for the terminal. It contains no values of responses. */
export function summaryOf(routes: readonly RouteFindings[], recording: Recording): string[] {
  const lines = routes.flatMap(({ route, requests, differentResponses, findings, ignored }) => {
    const noise = ignored.length
      ? [`  ignored, because responses of the old server also differ: ${ignored.map(differenceName).join(', ')}`]
      : [];
    if (differentResponses === 0 && noise.length === 0) return [];
    const lines = findings.map((finding) => `  ${differenceName(finding)} (${finding.count})`);
    const responses = quantity(requests, 'response');
    const conclusion =
      differentResponses === 0
        ? `${responses}, the same`
        : `${differentResponses} of ${responses} ${differentResponses === 1 ? 'differs' : 'differ'}`;
    return [`${route}: ${conclusion}`, ...lines, ...noise];
  });
  return [...lines, ...skippedLines(recording), verdictOf(routes)];
}
