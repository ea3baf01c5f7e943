import fc from 'fast-check';
import { type Command, runBatches } from './linearizable.js';
import type { Setting } from './setting.js';

/** Random choices for a command, independent of its subject. Users, values and processes are identified by number. */
export interface Step {
  /** Kind of the command: a number from 0 to `kinds - 1` of the model. */
  readonly kind: number;
  readonly user: number;
  readonly value: number;
  /** Number of the process, 0 or 1. */
  readonly process: number;
  /** Index of the batch in the run. */
  readonly batch: number;
}

/** Specification of a part of the service: its state, and the possible results and next states of each command. */
export interface Model<State, Subject> {
  readonly name: string;
  /** Number of kinds of commands. A command that has several kinds is sent more often. */
  readonly kinds: number;
  /** Creates a subject, such as a game, and returns its initial state. `variant` selects its settings. */
  begin(setting: Setting, variant: number): Promise<{ subject: Subject; state: State }>;
  command(setting: Setting, subject: Subject, step: Step): Command<State>;
  /** Returns a command that reads the whole state, so that only one possible state remains. */
  readState(setting: Setting, subject: Subject, process: number): Command<State>;
  /** Returns the final checks. They run one by one. */
  last?(setting: Setting, subject: Subject): Promise<readonly Command<State>[]>;
  /** Runs before each batch. */
  between?(setting: Setting, subject: Subject): Promise<void>;
}

const stepOf = (kinds: number) => fc.record({ kind: fc.nat(kinds - 1), user: fc.nat(3), value: fc.nat(5), process: fc.nat(1) });

/**
 * Compares the service with a model. Concurrent commands at two processes must return results and leave a state that some
 * sequential order of the model explains. Returns the number of sent commands.
 */
export async function compareWithModel<State, Subject>(
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
