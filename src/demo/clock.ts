import { setTimeout as sleep } from 'node:timers/promises';
import { type Pools, Session } from '../kernel/session.js';
import { insertMatch, recordNextEvent } from './tournaments/match.js';

/** Interval between two events of the match, in milliseconds. */
const eventIntervalMs = 1_500;

async function playNext(pools: Pools, isFirst: boolean): Promise<void> {
  const sql = new Session(pools, 'write');
  // Demo data of earlier versions lacks the match.
  if (isFirst) await insertMatch(sql);
  // Several processes can play the match. The minimum age of the last event keeps the speed the same for any number of processes.
  await recordNextEvent(sql, 0.8 * eventIntervalMs);
}

/** Plays the demo match repeatedly until the signal aborts. */
export async function playMatch(pools: Pools, signal: AbortSignal): Promise<void> {
  let isFirst = true;
  while (!signal.aborted) {
    try {
      await playNext(pools, isFirst);
      isFirst = false;
    } catch {
      // The database can be temporarily unavailable. The next iteration retries.
    }
    await sleep(eventIntervalMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
