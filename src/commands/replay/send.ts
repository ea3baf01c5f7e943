import { setTimeout as sleep } from 'node:timers/promises';
import type { AskedServer } from '../../comparison/ask.js';
import { differencesOf } from '../../comparison/compare-answers.js';
import { Chosen } from './chosen.js';
import type { Compared } from './findings.js';
import type { Recorded } from './recorded.js';
import type { ServerNames } from './server-names.js';

/** A server, and what it calls what. */
interface NamedServer {
  readonly server: AskedServer;
  readonly names: ServerNames;
}

interface Sending {
  readonly old: NamedServer;
  readonly now: NamedServer;
  readonly concurrency: number;
  readonly rate: number | null;
  /** Told after each. */
  readonly done: (count: number) => void;
}

const ask = ({ server, names }: NamedServer, { sent, name }: Recorded) => server.ask(names.into(sent, name));

/** The old one is asked before and after the new one: what changed meanwhile is its own doing. */
async function compare(recorded: Recorded, { old, now }: Sending, chosen: Chosen | null): Promise<Compared> {
  const { writes, name } = recorded;
  const before = await ask(old, recorded);
  const after = await ask(now, recorded);
  chosen?.answered(recorded, before, after);
  const [first, other] = [old.names.from(before, name), now.names.from(after, name)];
  if (writes) return { recorded, differences: differencesOf(first, other), noise: [] };
  const again = old.names.from(await ask(old, recorded), name);
  // One that answers now so and now so, as under a limit, is compared by the answer of the same kind, and excuses nothing.
  if ('failure' in first || 'failure' in again || first.status !== again.status) {
    const isLike = !('failure' in again) && !('failure' in other) && again.status === other.status;
    return { recorded, differences: differencesOf(isLike ? again : first, other), noise: [] };
  }
  return { recorded, differences: differencesOf(first, other), noise: differencesOf(first, again) };
}

/** Sends them all. One that changes something waits for those before it, and those behind it wait for it. */
export async function sendAll(requests: readonly Recorded[], sending: Sending): Promise<Compared[]> {
  const { old, now, rate, concurrency, done } = sending;
  const compared: Compared[] = [];
  const running = new Set<Promise<void>>();
  // Reads find on both what was there before.
  const chosen = requests.some(({ writes }) => writes) ? new Chosen(old.names, now.names) : null;
  const begun = performance.now();
  for (const [index, recorded] of requests.entries()) {
    if (rate !== null) await sleep(Math.max(0, begun + (index * 1000) / rate - performance.now()));
    if (recorded.writes || chosen?.waits(recorded)) await Promise.all(running);
    while (running.size >= concurrency) await Promise.race(running);
    if (recorded.writes) for (const { names } of [old, now]) names.begun ??= Date.now();
    chosen?.sent(recorded);
    const run = compare(recorded, sending, chosen).then((found) => {
      compared.push(found);
      running.delete(run);
      done(compared.length);
    });
    running.add(run);
    if (recorded.writes) await run;
  }
  await Promise.all(running);
  return compared;
}
