import fc from 'fast-check';
import type { Service } from './attacked.js';
import { leakIn, type Wrong } from './checks.js';
import { type Draw, drawFrom } from './draw.js';
import { asCurl, type Got, type Sent, send } from './wire.js';

/** A kind of requests: how the case of a number is made, and what is wrong with its answer. */
export interface Front<Case extends { readonly sent: Sent }> {
  readonly name: string;
  make(draw: Draw, number: number): Case;
  /** Sends it in another way than as a request. */
  send?(origin: string, sent: Sent): Promise<Got>;
  check(made: Case, got: Got): Wrong;
  /** Told of every answer. */
  seen?(made: Case, got: Got): void;
}

/** Something wrong, and how to see it again. */
export interface Finding {
  readonly case: string;
  readonly what: string;
  readonly curl: string;
}

/** Findings that differ in numbers, names and texts only are of one kind. */
export const kindOf = (what: string): string => what.replace(/[\d"'][^ ]*/g, '#').slice(0, 120);

/** What the process takes when it is asked for, and the most so far, in MB. */
export const memoryLimit = 450;
const atOnce = 4;
/** Requests between two looks at the service, and two times at which its tokens are brought back. */
const perBatch = 100;

/** One case; when something is wrong, fast-check makes it smaller, on the running service, for some seconds. */
async function attempt<Case extends { readonly sent: Sent }>(
  service: Service,
  front: Front<Case>,
  seed: number,
  number: number,
  known: Set<string>,
): Promise<Finding | null> {
  let smallest: { what: string; sent: Sent } | undefined;
  let isFirst = true;
  let isKnown = false;
  const property = fc.asyncProperty(fc.gen(), async (gen) => {
    // What has been told already need not get smaller.
    if (isKnown) return true;
    const made = front.make(drawFrom(gen), number);
    const got = await (front.send ?? send)(service.origin, made.sent);
    if (isFirst) front.seen?.(made, got);
    isFirst = false;
    const what = front.check(made, got);
    if (!what) return true;
    isKnown = !smallest && known.has(kindOf(what));
    known.add(kindOf(what));
    smallest = { what, sent: made.sent };
    return false;
  });
  // Each case has a seed of its own, so that it can be repeated without those before it.
  await fc.check(property, {
    seed: seed * 1_000_003 + number,
    numRuns: 1,
    unbiased: true,
    interruptAfterTimeLimit: 5_000,
    markInterruptAsFailure: false,
  });
  return smallest ? { case: `${front.name}:${number}`, what: smallest.what, curl: asCurl(service.origin, smallest.sent) } : null;
}

/** Secrets and failures in what the service has written since it was last looked at. */
function wrongInLog(log: string): string[] {
  return log.split('\n').flatMap((line) => {
    // Where something unexpected is thrown the log, and nothing else, has the stack.
    const isUnexpected = /unexpected error|uncaught|unhandled/i.test(line);
    const leak = isUnexpected ? null : leakIn(line);
    return isUnexpected || leak ? [`log: ${leak ?? 'unexpected error'}: ${line.slice(0, 1_500)}`] : [];
  });
}

/** Runs the cases of these numbers; stops early when the service has ended. */
export async function campaign<Case extends { readonly sent: Sent }>(
  service: Service,
  front: Front<Case>,
  seed: number,
  numbers: readonly number[],
  report: (finding: Finding) => void,
): Promise<{ peak: number }> {
  const known = new Set<string>();
  let peak = 0;
  for (let from = 0; from < numbers.length && service.isUp(); from += perBatch) {
    await service.restore();
    const waiting = numbers.slice(from, from + perBatch);
    const batch = `${front.name}:${waiting[0]}-${waiting.at(-1)}`;
    const work = async () => {
      for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
        const finding = await attempt(service, front, seed, number, known);
        if (finding) report(finding);
        peak = Math.max(peak, service.memory());
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    for (const what of wrongInLog(service.log())) report({ case: batch, what, curl: '' });
  }
  if (!service.isUp()) report({ case: front.name, what: 'the process of the service has ended', curl: '' });
  if (peak > memoryLimit) report({ case: front.name, what: `the process took ${Math.round(peak)} MB`, curl: '' });
  return { peak };
}
