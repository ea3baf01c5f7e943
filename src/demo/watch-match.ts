import type { ChangeLog, Topic } from '../kernel/changes/index.js';
import type { Pools } from '../kernel/session.js';

/** What those wait for who subscribe to the matches of the tournament in which the match of the demo season is played. */
const topics: ReadonlySet<Topic> = new Set(['Prematch', 'Pregame', 'TournamentReferee tournamentId=demo-tournament']);

/** Whether somebody who waits for these topics watches the match: for some of those, and for nothing else. */
const isWatching = (waited: readonly Topic[]): boolean =>
  waited.includes('Prematch') && waited.every((topic) => topics.has(topic));

/** Has the match of the demo season played as long as somebody watches it. Before, nothing of it is loaded, and no timer runs. */
export function playWhileWatched(changes: ChangeLog, pools: Pools): void {
  let playing = new AbortController();
  changes.whenAwaited(isWatching, (isAwaited) => {
    playing.abort();
    if (!isAwaited) return;
    playing = new AbortController();
    const { signal } = playing;
    void import('./clock.js').then(({ playMatch }) => playMatch(pools, signal));
  });
}
