import fc from 'fast-check';
import { type Command, runBatches } from './linearizable.js';
import type { Setting } from './setting.js';

/** What is being done, before it has a subject: numbers stand for people, values and processes. */
export interface Step {
  /** Which of the model's commands. */
  readonly kind: number;
  readonly who: number;
  readonly what: number;
  /** 0 or 1. */
  readonly process: number;
  /** Which batch of the run it is part of. */
  readonly batch: number;
}

/** A part of the service as it should be: a state, and what each command gives in it and makes of it. */
export interface Model<State, Subject> {
  readonly name: string;
  /** How many kinds of commands there are. */
  readonly kinds: number;
  /** A fresh subject, and the state in which it is; `what` chooses among several. */
  begin(setting: Setting, what: number): Promise<{ subject: Subject; state: State }>;
  command(setting: Setting, subject: Subject, step: Step): Command<State>;
  /** Reads the whole state, so that one is left. */
  look(setting: Setting, subject: Subject, process: number): Command<State>;
  /** What else must hold in the end; each by itself. */
  last?(setting: Setting, subject: Subject): Promise<readonly Command<State>[]>;
  /** What is done before each batch. */
  between?(setting: Setting, subject: Subject): Promise<void>;
}

const stepOf = (kinds: number) => fc.record({ kind: fc.nat(kinds - 1), who: fc.nat(3), what: fc.nat(5), process: fc.nat(1) });

/**
 * Holds the service to a model: batches of commands at the same moment, spread over two processes, must give what the model gives in some
 * order of them, and leave what it leaves. How many commands were sent.
 */
export async function hold<State, Subject>(
  setting: Setting,
  model: Model<State, Subject>,
  { seed, runs, batches: most }: { seed: number; runs: number; batches: number },
): Promise<number> {
  let sent = 0;
  const batches = fc.array(fc.array(stepOf(model.kinds), { minLength: 1, maxLength: 4 }), {
    minLength: 2,
    maxLength: most,
    size: 'max',
  });
  const property = fc.asyncProperty(fc.nat(5), batches, async (what, drawn) => {
    const { subject, state } = await model.begin(setting, what);
    const commands = drawn.flatMap((steps, batch): Command<State>[][] => [
      steps.map((step) => model.command(setting, subject, { ...step, batch })),
      [model.look(setting, subject, batch)],
    ]);
    const last = async () => ((await model.last?.(setting, subject)) ?? []).map((command) => [command]);
    sent += await runBatches(state, commands, async () => model.between?.(setting, subject), last);
  });
  await fc.assert(property, {
    seed,
    numRuns: runs,
    unbiased: true,
    interruptAfterTimeLimit: 600_000,
    markInterruptAsFailure: false,
    endOnFailure: false,
  });
  return sent;
}
