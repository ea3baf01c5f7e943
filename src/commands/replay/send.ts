import { setTimeout as sleep } from 'node:timers/promises';
import type { AskedServer } from '../../comparison/ask.js';
import { differencesOf } from '../../comparison/compare-answers.js';
import type { Compared } from './findings.js';
import type { Recorded } from './recorded.js';

interface Sending {
  readonly old: AskedServer;
  readonly now: AskedServer;
  readonly concurrency: number;
  readonly rate: number | null;
  /** Told after each. */
  readonly done: (count: number) => void;
}

/** The old one is asked before and after the new one: what changed meanwhile is its own doing. */
async function compare(recorded: Recorded, { old, now }: Sending): Promise<Compared> {
  const { sent, writes } = recorded;
  const first = await old.ask(sent);
  const other = await now.ask(sent);
  if (writes) return { recorded, differences: differencesOf(first, other), noise: [] };
  const again = await old.ask(sent);
  // One that answers now so and now so, as under a limit, is compared by the answer of the same kind, and excuses nothing.
  if ('failure' in first || 'failure' in again || first.status !== again.status) {
    const isLike = !('failure' in again) && !('failure' in other) && again.status === other.status;
    return { recorded, differences: differencesOf(isLike ? again : first, other), noise: [] };
  }
  return { recorded, differences: differencesOf(first, other), noise: differencesOf(first, again) };
}

/** Sends them all. One that changes something waits for those before it, and those behind it wait for it. */
export async function sendAll(requests: readonly Recorded[], sending: Sending): Promise<Compared[]> {
  const compared: Compared[] = [];
  const running = new Set<Promise<void>>();
  const begun = performance.now();
  for (const [index, recorded] of requests.entries()) {
    if (sending.rate !== null) await sleep(Math.max(0, begun + (index * 1000) / sending.rate - performance.now()));
    if (recorded.writes) await Promise.all(running);
    while (running.size >= sending.concurrency) await Promise.race(running);
    const run = compare(recorded, sending).then((found) => {
      compared.push(found);
      running.delete(run);
      sending.done(compared.length);
    });
    running.add(run);
    if (recorded.writes) await run;
  }
  await Promise.all(running);
  return compared;
}
