import fc from 'fast-check';
import type { Service } from './attacked.js';
import { leakIn, type ProblemText } from './checks.js';
import { type Draw, drawFrom } from './draw.js';
import { asCurl, type ReceivedResponse, type RequestToSend, send } from './wire.js';

/** A kind of request: creates numbered cases and checks their responses. */
export interface RequestKind<Case extends { readonly sent: RequestToSend }> {
  readonly name: string;
  make(draw: Draw, number: number): Case;
  /** Sends the request of a case. Default: sends a single HTTP request. */
  send?(origin: string, sent: RequestToSend): Promise<ReceivedResponse>;
  check(testCase: Case, response: ReceivedResponse): ProblemText;
  /** Called with every response. */
  onResponse?(testCase: Case, response: ReceivedResponse): void;
}

/** A problem that a case found, and the command that reproduces it. */
export interface Finding {
  readonly case: string;
  readonly problem: string;
  readonly curl: string;
}

/** Returns the kind of a problem. Problems that differ only in numbers, names and texts have the same kind. */
export const kindOf = (problem: string): string => problem.replace(/[\d"'][^ ]*/g, '#').slice(0, 120);

/** Maximum memory of the process in MB. */
export const memoryLimit = 450;
const atOnce = 4;
/** Number of requests per batch. After each batch, the campaign checks the service and restores its tokens. */
const requestsPerBatch = 100;

/** Runs one case. If it finds a problem, fast-check shrinks the case on the running service for up to five seconds. */
async function attempt<Case extends { readonly sent: RequestToSend }>(
  service: Service,
  front: RequestKind<Case>,
  seed: number,
  number: number,
  knownKinds: Set<string>,
): Promise<Finding | null> {
  let smallest: { problem: string; sent: RequestToSend } | undefined;
  let isFirst = true;
  let isKnown = false;
  const property = fc.asyncProperty(fc.gen(), async (gen) => {
    // A reported kind of finding is not shrunk again.
    if (isKnown) return true;
    const testCase = front.make(drawFrom(gen), number);
    const response = await (front.send ?? send)(service.origin, testCase.sent);
    if (isFirst) front.onResponse?.(testCase, response);
    isFirst = false;
    const problem = front.check(testCase, response);
    if (!problem) return true;
    isKnown = !smallest && knownKinds.has(kindOf(problem));
    knownKinds.add(kindOf(problem));
    smallest = { problem, sent: testCase.sent };
    return false;
  });
  // Each case has its own seed, so that it can be repeated without the earlier cases.
  await fc.check(property, {
    seed: seed * 1_000_003 + number,
    numRuns: 1,
    unbiased: true,
    interruptAfterTimeLimit: 5_000,
    markInterruptAsFailure: false,
  });
  return smallest
    ? { case: `${front.name}:${number}`, problem: smallest.problem, curl: asCurl(service.origin, smallest.sent) }
    : null;
}

/** Returns the secrets and unexpected errors in the output of the service since the last check. */
function wrongInLog(log: string): string[] {
  return log.split('\n').flatMap((line) => {
    // The log may contain the stack trace of an unexpected error, so such lines are not checked for leaks.
    const isUnexpected = /unexpected error|uncaught|unhandled/i.test(line);
    const leak = isUnexpected ? null : leakIn(line);
    return isUnexpected || leak ? [`log: ${leak ?? 'unexpected error'}: ${line.slice(0, 1_500)}`] : [];
  });
}

/** Runs the cases with the given numbers. Stops when the service has exited. */
export async function campaign<Case extends { readonly sent: RequestToSend }>(
  service: Service,
  front: RequestKind<Case>,
  seed: number,
  numbers: readonly number[],
  report: (finding: Finding) => void,
): Promise<{ peak: number }> {
  const knownKinds = new Set<string>();
  let peak = 0;
  for (let from = 0; from < numbers.length && service.isUp(); from += requestsPerBatch) {
    await service.restore();
    const waiting = numbers.slice(from, from + requestsPerBatch);
    const batch = `${front.name}:${waiting[0]}-${waiting.at(-1)}`;
    const work = async () => {
      for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
        const finding = await attempt(service, front, seed, number, knownKinds);
        if (finding) report(finding);
        peak = Math.max(peak, service.memory());
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    for (const problem of wrongInLog(service.log())) report({ case: batch, problem, curl: '' });
  }
  if (!service.isUp()) report({ case: front.name, problem: 'the service process has exited', curl: '' });
  if (peak > memoryLimit) report({ case: front.name, problem: `the process used ${Math.round(peak)} MB`, curl: '' });
  return { peak };
}
