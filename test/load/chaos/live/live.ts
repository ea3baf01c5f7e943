import { setTimeout as sleep } from 'node:timers/promises';
import { type CommittedWrite, createWitness, type DeliverySummary, readCommittedWrites, summarizeDeliveries } from './account.js';
import { type Follower, follow, type SubscriptionTarget } from './follower.js';
import { createWebhookReceiver } from './hook.js';
import { shared, startInterruptedTransactions, startWriters } from './writers.js';

/** Writers, subscribers and a webhook that run during a fault. */
export interface LiveScene {
  readonly followers: readonly Follower[];
  /** Number of acknowledged writes so far. */
  acknowledged(): number;
  /**
   * Stops the writers, waits up to `within` seconds until no receiver misses a change, and compares events with writes. Returns the figures
   * and the violated guarantees.
   */
  counted(within: number): Promise<{ figures: string; broken: string[] }>;
  stop(): Promise<void>;
}

export interface Scale {
  readonly writers?: number;
  readonly followers?: number;
  /** Returns the origins that the subscribers connect to. Defaults to the origins of the writers. */
  readonly followed?: () => readonly string[];
}

const concerns = (subject: SubscriptionTarget, { id }: CommittedWrite): boolean => subject === 'all' || subject.id === id;

/** Returns the median and the maximum delay of the changes, as text. */
function delayOf(accounts: readonly DeliverySummary[]): string {
  const delays = accounts.flatMap((account) => account.delays).sort((a, b) => a - b);
  const [median, slowest] = [delays[Math.floor(delays.length / 2)] ?? 0, delays.at(-1) ?? 0];
  return `p50 ${Math.round(median)} ms, max ${(slowest / 1000).toFixed(1)} s`;
}

/** Starts writers, subscribers and a webhook at the services with the given origins. */
export async function startLive(
  url: string,
  origins: () => readonly string[],
  { writers: many = 20, followers: each = 6, followed = origins }: Scale = {},
): Promise<LiveScene> {
  await createWitness(url);
  const writers = startWriters(origins, { many });
  while (writers.acknowledged.length < many && writers.violations.length === 0) await sleep(20);
  const halfway = startInterruptedTransactions(url);
  const followers = await Promise.all(
    Array.from({ length: each }, (_, index) => follow(index % 3 === 0 ? { id: shared } : 'all', followed, index)),
  );
  const hook = await createWebhookReceiver(origins()[0] ?? '');
  const stopWriting = () => Promise.all([writers.stop(), halfway.stop()]);
  const stop = async () => {
    await stopWriting();
    await Promise.all([hook.close(), ...followers.map((follower) => follower.stop())]);
  };
  return {
    followers,
    acknowledged: () => writers.acknowledged.length,
    stop,
    async counted(within) {
      await stopWriting();
      const { writes, broken } = await readCommittedWrites(url, writers.acknowledged);
      const behind = (from: number, subject: SubscriptionTarget) =>
        writes.filter((write) => write.position > from && concerns(subject, write));
      const ofHook = () => summarizeDeliveries(hook.events(), behind(hook.start, 'all'));
      const ofFollowers = () =>
        followers.map(({ subject, events, start }) => summarizeDeliveries(events, behind(start(), subject)));
      const accounts = () => [...ofFollowers(), ofHook()];
      const until = performance.now() + within * 1000;
      while (accounts().some(({ missing }) => missing > 0) && performance.now() < until) await sleep(100);
      // Time for duplicate and unexpected events to arrive.
      await sleep(500);
      const [all, hooked] = [ofFollowers(), ofHook()];
      await stop();
      const sum = (what: 'receivedCount' | 'missing' | 'strange' | 'outOfOrder' | 'old') =>
        all.reduce((total, account) => total + account[what], 0);
      const [duplicateCount, reconnectCount] = [
        followers.reduce((total, follower) => total + follower.duplicateCount(), 0),
        followers.reduce((total, follower) => total + follower.reconnectCount(), 0),
      ];
      if (sum('receivedCount') === 0 || hooked.receivedCount === 0) broken.push('no event was received');
      for (const [what, word] of [
        ['missing', 'are missing'],
        ['strange', 'were never committed'],
        ['outOfOrder', 'arrived after later changes of the same record'],
        ['old', 'arrived with an older row'],
      ] as const)
        for (const [who, many] of [
          ['subscribers', sum(what)],
          ['webhook', hooked[what]],
        ] as const)
          if (many) broken.push(`${who}: ${many} changes ${word}`);
      broken.push(
        ...new Set([...writers.violations, ...followers.flatMap(({ violations }) => violations), ...hook.violations()]),
      );
      const figures = [
        `${writes.length} changes by ${many} writers (${writers.acknowledged.length} acknowledged, ${writers.open()} open)`,
        `${followers.length} subscribers reconnected ${reconnectCount} times, ${sum('receivedCount')} events, ${sum('missing')} missing, ${duplicateCount} duplicates, ${sum('old')} with an older row, ${delayOf(all)}`,
        `a webhook received ${hooked.receivedCount} deliveries, rejected ${hook.failed()}, ${hooked.missing} missing, ${hook.duplicateCount()} duplicates, ${delayOf([hooked])}`,
      ].join('; ');
      return { figures, broken };
    },
  };
}
