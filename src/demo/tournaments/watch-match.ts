import type { ChangeLog, Topic } from '../../kernel/changes/index.js';
import type { Pools } from '../../kernel/session.js';

/** Topics of subscriptions to the matches of the demo tournament. */
const topics: ReadonlySet<Topic> = new Set(['Prematch', 'Pregame', 'TournamentReferee tournamentId=demo-tournament']);

/** Whether a client subscribes only to these matches. Such a subscription includes the topic `Prematch`, and all its topics are in `topics`. */
const isWatching = (subscribed: readonly Topic[]): boolean =>
  subscribed.includes('Prematch') && subscribed.every((topic) => topics.has(topic));

/** Plays the demo match while clients subscribe to it. The code that plays the match is imported when the first client subscribes. */
export function playMatchWhileWatched(changes: ChangeLog, pools: Pools): void {
  let match = new AbortController();
  changes.onSubscription(isWatching, (hasSubscribers) => {
    match.abort();
    if (!hasSubscribers) return;
    match = new AbortController();
    const { signal } = match;
    void import('./match.js').then(({ playMatch }) => playMatch(pools, signal));
  });
}
