import type { RouteFindings } from './findings.js';
import type { Recording } from './recorded.js';

const several = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** `value at results[].seed`. */
export const differenceName = ({ kind, path }: { kind: string; path: string }): string => (path ? `${kind} at ${path}` : kind);

/** What was not sent, in sentences. */
export function leftOf({ writesLeft, notWanted, bodiless }: Recording): string[] {
  return [
    writesLeft ? `${several(writesLeft, 'request')} that may change something: not sent without --writes.` : '',
    notWanted ? `${several(notWanted, 'request')} not meant by --only: not sent.` : '',
    bodiless ? `${several(bodiless, 'request')} whose bodies are not in the file: not sent.` : '',
  ].filter(Boolean);
}

/** All in one sentence. */
export function verdictOf(routes: readonly RouteFindings[]): string {
  const requests = routes.reduce((sum, each) => sum + each.requests, 0);
  const differing = routes.filter((each) => each.differing > 0);
  const answers = differing.reduce((sum, each) => sum + each.differing, 0);
  const asked = `${several(requests, 'request')} of ${several(routes.length, 'route')}`;
  if (requests === 0) return 'No request was sent.';
  return answers === 0
    ? `${asked}: all answers are the same.`
    : `${asked}: ${several(answers, 'answer')} of ${several(differing.length, 'route')} ${answers === 1 ? 'differs' : 'differ'}.`;
}

/** The lines for the terminal, without values. */
export function summaryOf(routes: readonly RouteFindings[], recording: Recording): string[] {
  const lines = routes.flatMap(({ route, requests, differing, findings, ignored }) => {
    const noise = ignored.length
      ? [`  ignored, as the old server's own answers differ: ${ignored.map(differenceName).join(', ')}`]
      : [];
    if (differing === 0 && noise.length === 0) return [];
    const told = findings.map((finding) => `  ${differenceName(finding)} (${finding.count})`);
    const answers = several(requests, 'answer');
    const verdict =
      differing === 0 ? `${answers}, the same` : `${differing} of ${answers} ${differing === 1 ? 'differs' : 'differ'}`;
    return [`${route}: ${verdict}`, ...told, ...noise];
  });
  return [...lines, ...leftOf(recording), verdictOf(routes)];
}
