import { setTimeout as sleep } from 'node:timers/promises';
import { type Pools, Session } from '../kernel/session.js';
import { insertMatch, recordNextEvent } from './tournaments/match.js';

/** Time between two events of the match, in milliseconds. */
const eventIntervalMs = 1_500;

async function playNext(pools: Pools, isFirst: boolean): Promise<void> {
  const sql = new Session(pools, 'write');
  // Demo data of earlier versions does not have the match.
  if (isFirst) await insertMatch(sql);
  // Several processes may play the match. The minimum age of the last event prevents them from playing it at double speed.
  await recordNextEvent(sql, 0.8 * eventIntervalMs);
}

/** Plays the demo match repeatedly until the signal is aborted. */
export async function playMatch(pools: Pools, signal: AbortSignal): Promise<void> {
  let isFirst = true;
  while (!signal.aborted) {
    try {
      await playNext(pools, isFirst);
      isFirst = false;
    } catch {
      // The database may be temporarily unavailable. The next iteration tries again.
    }
    await sleep(eventIntervalMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
