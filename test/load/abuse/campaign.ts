import fc from 'fast-check';
import type { Service } from './attacked.js';
import { leakIn, type Wrong } from './checks.js';
import { type Draw, drawFrom } from './draw.js';
import { asCurl, type Got, type Sent, send } from './wire.js';

/** A kind of request: creates numbered cases and checks their responses. */
export interface Front<Case extends { readonly sent: Sent }> {
  readonly name: string;
  make(draw: Draw, number: number): Case;
  /** Sends the request in another way than over HTTP. */
  send?(origin: string, sent: Sent): Promise<Got>;
  check(made: Case, got: Got): Wrong;
  /** Called with every response. */
  seen?(made: Case, got: Got): void;
}

/** A problem, with the command to reproduce it. */
export interface Finding {
  readonly case: string;
  readonly what: string;
  readonly curl: string;
}

/** Groups findings that differ only in numbers, names and texts. */
export const kindOf = (what: string): string => what.replace(/[\d"'][^ ]*/g, '#').slice(0, 120);

/** Maximum memory of the process in MB. */
export const memoryLimit = 450;
const atOnce = 4;
/** Number of requests between two checks of the service, after which its tokens are restored. */
const perBatch = 100;

/** Runs one case. If it finds a problem, fast-check shrinks the case on the running service for some seconds. */
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
    // A reported kind of finding is not shrunk again.
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
  // Each case has its own seed, so that it can be repeated without the earlier ones.
  await fc.check(property, {
    seed: seed * 1_000_003 + number,
    numRuns: 1,
    unbiased: true,
    interruptAfterTimeLimit: 5_000,
    markInterruptAsFailure: false,
  });
  return smallest ? { case: `${front.name}:${number}`, what: smallest.what, curl: asCurl(service.origin, smallest.sent) } : null;
}

/** Secrets and failures in the output of the service since the last check. */
function wrongInLog(log: string): string[] {
  return log.split('\n').flatMap((line) => {
    // Only the log has the stack of an unexpected error.
    const isUnexpected = /unexpected error|uncaught|unhandled/i.test(line);
    const leak = isUnexpected ? null : leakIn(line);
    return isUnexpected || leak ? [`log: ${leak ?? 'unexpected error'}: ${line.slice(0, 1_500)}`] : [];
  });
}

/** Runs the cases with these numbers. Stops when the service has exited. */
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
