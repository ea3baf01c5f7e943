import { setTimeout as sleep } from 'node:timers/promises';
import { type Pools, Session } from '../kernel/session.js';
import { layOutMatch, playOn } from './match.js';

/** Milliseconds from one event of the match to the next. */
const pace = 1_500;

async function playNext(pools: Pools, isFirst: boolean): Promise<void> {
  const sql = new Session(pools, 'write');
  // Seasons of earlier versions do not have it.
  if (isFirst) await layOutMatch(sql);
  // Several processes play one match: whoever comes a little late finds that it went on.
  await playOn(sql, 0.8 * pace);
}

/** Plays the match of the demo season, over and over, until it is told to stop. */
export async function playMatch(pools: Pools, signal: AbortSignal): Promise<void> {
  let isFirst = true;
  while (!signal.aborted) {
    try {
      await playNext(pools, isFirst);
      isFirst = false;
    } catch {
      // The database may be away for a moment.
    }
    await sleep(pace, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
