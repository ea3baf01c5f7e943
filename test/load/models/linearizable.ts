import { isDeepStrictEqual } from 'node:util';

/** A possible result of a command, and the state after it. */
export interface Outcome<State> {
  readonly result: string;
  readonly next: State;
}

/** One request, and its possible outcomes in the model. */
export interface Command<State> {
  /** Describes the command for error messages. */
  readonly title: string;
  /** Sends the command. Returns its result in terms of the model. */
  send(): Promise<string>;
  /** Returns all possible outcomes in a state. Most commands have only one possible outcome. */
  outcomes(state: State): readonly Outcome<State>[];
}

/** A completed command. */
interface CompletedCommand<State> {
  readonly command: Command<State>;
  readonly result: string;
}

function distinct<State>(states: readonly State[]): State[] {
  return states.filter((state, index) => !states.slice(0, index).some((other) => isDeepStrictEqual(other, state)));
}

/**
 * Returns the possible states after concurrent commands. There must be an order in which the model, running one command after another,
 * returns the same results (linearizability, Herlihy and Wing). Empty if there is no such order.
 */
export function possibleStates<State>(states: readonly State[], done: readonly CompletedCommand<State>[]): State[] {
  if (!done.length) return distinct(states);
  return distinct(
    done.flatMap((first) => {
      const after = states.flatMap((state) => first.command.outcomes(state).filter(({ result }) => result === first.result));
      const otherCommands = done.filter((other) => other !== first);
      return after.length ? possibleStates(distinct(after.map(({ next }) => next)), otherCommands) : [];
    }),
  );
}

/**
 * Runs batches of concurrent commands. Throws if no order explains their results. `before` runs before each batch. `last` returns the final
 * batches. Returns the number of commands sent.
 */
export async function runBatches<State>(
  start: State,
  batches: readonly (readonly Command<State>[])[],
  before: () => Promise<void>,
  last: () => Promise<readonly (readonly Command<State>[])[]>,
): Promise<number> {
  let states: State[] = [start];
  let sentCount = 0;
  const descriptions: string[] = [];
  async function run(batch: readonly Command<State>[]): Promise<void> {
    await before();
    const done = await Promise.all(batch.map(async (command) => ({ command, result: await command.send() })));
    descriptions.push(done.map(({ command, result }) => `${command.title} → ${result}`).join(' | '));
    sentCount += done.length;
    const from = states;
    states = possibleStates(states, done);
    if (!states.length)
      throw new Error(`no order explains the last line, from ${JSON.stringify(from)}:\n${descriptions.join('\n')}`);
  }
  for (const batch of batches) await run(batch);
  for (const batch of await last()) await run(batch);
  return sentCount;
}
