import fc from 'fast-check';
import { type Command, runBatches } from './linearizable.js';
import type { Setting } from './setting.js';

/** A command before it has a subject. Numbers identify users, values and processes. */
export interface Step {
  /** Index of the command in the model. */
  readonly kind: number;
  readonly user: number;
  readonly value: number;
  /** Process, 0 or 1. */
  readonly process: number;
  /** Index of the batch in the run. */
  readonly batch: number;
}

/** A specification of a part of the service: a state, and the result and next state of each command. */
export interface Model<State, Subject> {
  readonly name: string;
  /** Number of commands. */
  readonly kinds: number;
  /** Creates a subject and its state. `variant` selects a variant. */
  begin(setting: Setting, variant: number): Promise<{ subject: Subject; state: State }>;
  command(setting: Setting, subject: Subject, step: Step): Command<State>;
  /** Reads the whole state, so that one possible state remains. */
  readState(setting: Setting, subject: Subject, process: number): Command<State>;
  /** Final checks, one by one. */
  last?(setting: Setting, subject: Subject): Promise<readonly Command<State>[]>;
  /** Runs before each batch. */
  between?(setting: Setting, subject: Subject): Promise<void>;
}

const stepOf = (kinds: number) => fc.record({ kind: fc.nat(kinds - 1), user: fc.nat(3), value: fc.nat(5), process: fc.nat(1) });

/**
 * Compares the service with a model. Concurrent commands at two processes must return results and leave a state that some
 * sequential order of the model explains. Returns the number of sent commands.
 */
export async function hold<State, Subject>(
  setting: Setting,
  model: Model<State, Subject>,
  { seed, runs, batches: maxBatches }: { seed: number; runs: number; batches: number },
): Promise<number> {
  let sentCount = 0;
  const batches = fc.array(fc.array(stepOf(model.kinds), { minLength: 1, maxLength: 4 }), {
    minLength: 2,
    maxLength: maxBatches,
    size: 'max',
  });
  const property = fc.asyncProperty(fc.nat(5), batches, async (variant, drawnBatches) => {
    const { subject, state } = await model.begin(setting, variant);
    const commands = drawnBatches.flatMap((steps, batch): Command<State>[][] => [
      steps.map((step) => model.command(setting, subject, { ...step, batch })),
      [model.readState(setting, subject, batch)],
    ]);
    const last = async () => ((await model.last?.(setting, subject)) ?? []).map((command) => [command]);
    sentCount += await runBatches(state, commands, async () => model.between?.(setting, subject), last);
  });
  await fc.assert(property, {
    seed,
    numRuns: runs,
    unbiased: true,
    interruptAfterTimeLimit: 600_000,
    markInterruptAsFailure: false,
    endOnFailure: false,
  });
  return sentCount;
}
