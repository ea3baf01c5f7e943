import { isDeepStrictEqual } from 'node:util';

/** What a command can have given and left behind. */
export interface Outcome<State> {
  readonly result: string;
  readonly next: State;
}

/** One request, and what the model says of it. */
export interface Command<State> {
  /** Tells what is done, for the text of a failure. */
  readonly title: string;
  /** Sends it; what came of it in the words of the model. */
  send(): Promise<string>;
  /** All that may come of it in a state. Most have one outcome. */
  outcomes(state: State): readonly Outcome<State>[];
}

/** A command that is over. */
interface Done<State> {
  readonly command: Command<State>;
  readonly result: string;
}

function distinct<State>(states: readonly State[]): State[] {
  return states.filter((state, index) => !states.slice(0, index).some((other) => isDeepStrictEqual(other, state)));
}

/**
 * The states that commands which ran at the same time can have left: there is an order of them in which the model, one after the other, gives
 * what each of them gave (Herlihy and Wing). Empty when there is none.
 */
export function explained<State>(states: readonly State[], done: readonly Done<State>[]): State[] {
  if (!done.length) return distinct(states);
  return distinct(
    done.flatMap((first) => {
      const after = states.flatMap((state) => first.command.outcomes(state).filter(({ result }) => result === first.result));
      const others = done.filter((other) => other !== first);
      return after.length ? explained(distinct(after.map(({ next }) => next)), others) : [];
    }),
  );
}

/**
 * Runs batches of commands, those of a batch at the same moment, and throws where no order explains what they gave. `before` comes before each
 * batch; `last` makes batches that come after the others.
 */
export async function runBatches<State>(
  start: State,
  batches: readonly (readonly Command<State>[])[],
  before: () => Promise<void>,
  last: () => Promise<readonly (readonly Command<State>[])[]>,
): Promise<number> {
  let states: State[] = [start];
  let sent = 0;
  const told: string[] = [];
  async function run(batch: readonly Command<State>[]): Promise<void> {
    await before();
    const done = await Promise.all(batch.map(async (command) => ({ command, result: await command.send() })));
    told.push(done.map(({ command, result }) => `${command.title} → ${result}`).join(' | '));
    sent += done.length;
    const from = states;
    states = explained(states, done);
    if (!states.length) throw new Error(`no order explains the last line, from ${JSON.stringify(from)}:\n${told.join('\n')}`);
  }
  for (const batch of batches) await run(batch);
  for (const batch of await last()) await run(batch);
  return sent;
}
