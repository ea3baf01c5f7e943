import { liveCounts } from './counts.js';
import type { Outlet } from './outlet.js';

/** How long a client may take nothing of what waits for it, and how long one that is to end, in milliseconds. */
const patience = 10_000;
const farewell = 250;
/** How often what says nothing is sent. */
const pinging = 12_000;

interface Known {
  /** How many subscriptions are told by it. */
  streams: number;
  /** How many bytes waited when it was looked at last, and since when as many do. */
  waiting: number;
  since: number;
  pinged: number;
}

/** The connections of open subscriptions: which of them are not read. */
export class Outlets {
  readonly #all = new Map<Outlet, Known>();

  add(outlet: Outlet): void {
    const now = performance.now();
    const known = this.#all.get(outlet) ?? { streams: 0, waiting: 0, since: now, pinged: now };
    known.streams += 1;
    this.#all.set(outlet, known);
    liveCounts.open[outlet.transport] += 1;
  }

  delete(outlet: Outlet): void {
    const known = this.#all.get(outlet);
    if (!known) return;
    known.streams -= 1;
    if (known.streams === 0) this.#all.delete(outlet);
    liveCounts.open[outlet.transport] -= 1;
  }

  /** Those that have taken nothing for too long; the others are pinged. */
  stuck(now: number): Outlet[] {
    const stuck: Outlet[] = [];
    for (const [outlet, known] of this.#all) {
      const { waiting } = outlet;
      if (waiting === 0 || waiting < known.waiting) known.since = now;
      else if (now - known.since > patience) stuck.push(outlet);
      known.waiting = waiting;
      if (now - known.pinged < pinging) continue;
      known.pinged = now;
      outlet.ping();
    }
    return stuck;
  }

  /** Hangs up on one that is to end unless it soon takes what was written. */
  cutSoon(outlet: Outlet): void {
    setTimeout(() => outlet.waiting > 0 && outlet.cut(), farewell).unref();
  }
}
