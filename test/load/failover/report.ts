import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { readCommittedWrites, summarizeDeliveries } from '../chaos/live/account.js';
import type { Follower } from '../chaos/live/follower.js';
import type { WebhookReceiver } from '../chaos/live/hook.js';
import { failures, type Write } from './writer.js';

/** A kill of the primary. Times are values of `performance.now()`. */
export interface Kill {
  /** Whether Patroni was also killed. If false, only PostgreSQL was killed. */
  readonly isMachineLost: boolean;
  readonly killedAt: number;
  readonly promotedAt: number;
  /** Time of the first acknowledgement after the promotion. */
  readonly firstWriteAt: number;
  readonly restartedAt: number;
  /** Time at which the killed server had rejoined as a standby. */
  readonly completeAt: number;
}

/** Period before a kill in which the rate of acknowledged writes is measured, in milliseconds. */
const rateInterval = 5_000;

const seconds = (from: number, to: number): string => `${((to - from) / 1000).toFixed(1)} s`;

export function printKill(number: number, kill: Kill, writes: readonly Write[]): void {
  const during = writes.filter(({ sentAt, endedAt }) => sentAt < kill.completeAt && endedAt > kill.killedAt);
  const before = writes.filter(
    ({ outcome, endedAt }) => outcome === 'acknowledged' && endedAt > kill.killedAt - rateInterval && endedAt <= kill.killedAt,
  );
  const slowest = Math.max(0, ...during.map(({ sentAt, endedAt }) => endedAt - sentAt));
  console.log(
    [
      `kill ${number} (${kill.isMachineLost ? 'PostgreSQL and Patroni' : 'PostgreSQL only'}): promotion after ${seconds(kill.killedAt, kill.promotedAt)}`,
      `first write ${seconds(kill.promotedAt, kill.firstWriteAt)} after the promotion`,
      `failed writes: ${failures(during.filter(({ outcome }) => outcome !== 'pending'))}`,
      `${Math.round((before.length / rateInterval) * 1000)} writes/s before the kill`,
      `slowest response ${(slowest / 1000).toFixed(1)} s`,
      `killed server rejoined in ${seconds(kill.restartedAt, kill.completeAt)}`,
    ].join('; '),
  );
}

/** Returns the titles of acknowledged writes that are missing from the database. */
async function lostTitles(url: string, titles: readonly string[]): Promise<ReadonlySet<string>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ title: string }>(
    'select title from unnest($1::text[]) sent(title) where not exists (select from witness where witness.title = sent.title)',
    [titles],
  );
  await client.end();
  return new Set(rows.map(({ title }) => title));
}

/** Compares acknowledged writes and received events with the database. Waits until no receiver misses an event. */
export async function countLosses(
  url: string,
  {
    writes,
    kills,
    followers,
    hook,
    deliverySeconds,
  }: {
    writes: readonly Write[];
    kills: readonly Kill[];
    followers: readonly Follower[];
    hook: WebhookReceiver;
    deliverySeconds: number;
  },
): Promise<{ text: string; violations: string[] }> {
  const acknowledged = writes.filter(({ outcome }) => outcome === 'acknowledged');
  const lost = await lostTitles(
    url,
    acknowledged.map(({ title }) => title),
  );
  const lostWrites = acknowledged.filter(({ title }) => lost.has(title));
  const perKill = kills.map(({ killedAt, promotedAt }, index) => {
    const since = kills[index - 1]?.promotedAt ?? 0;
    const own = lostWrites.filter(({ endedAt }) => endedAt > since && endedAt <= promotedAt);
    const first = Math.round(Math.min(...own.map(({ endedAt }) => endedAt)) - killedAt);
    return own.length === 0 ? '0' : `${own.length}, from ${Math.abs(first)} ms ${first < 0 ? 'before' : 'after'} the kill`;
  });
  let { writes: changes, broken } = await readCommittedWrites(url, []);
  const accounts = () => [
    ...followers.map((follower) =>
      summarizeDeliveries(
        follower.events,
        changes.filter(({ position }) => position > follower.start()),
      ),
    ),
    summarizeDeliveries(
      hook.events().filter(({ kind }) => kind !== 'changes.missed'),
      changes.filter(({ position, version }) => position > hook.start && version === 1),
    ),
  ];
  const startedAt = performance.now();
  while (accounts().some(({ missing }) => missing > 0) && performance.now() - startedAt < deliverySeconds * 1000)
    await sleep(250);
  const drainTime = seconds(startedAt, performance.now());
  // Time for duplicate and unexpected events to arrive.
  await sleep(1_000);
  // Requests without a response can commit after the last response.
  ({ writes: changes, broken } = await readCommittedWrites(url, []));
  const hookMissed = hook.events().filter(({ kind }) => kind === 'changes.missed').length;
  const missed = followers.reduce((sum, follower) => sum + follower.missedEvents(), 0);
  const violations = [...broken, ...new Set([...followers.flatMap((follower) => follower.violations), ...hook.violations()])];
  if (lost.size > 0) violations.push(`${lost.size} acknowledged writes were lost`);
  if (missed + hookMissed > 0) violations.push(`${missed} CHANGES_MISSED and ${hookMissed} changes.missed events`);
  const lines = [
    `${writes.length} writes, ${acknowledged.length} acknowledged, ${lost.size} of them lost (per kill: ${perKill.join('; ')})`,
    `${changes.length} committed changes; all events after ${drainTime}`,
  ];
  for (const [index, account] of accounts().entries()) {
    const follower = followers[index];
    const name = follower ? `subscriber ${index + 1}` : 'webhook';
    const notices = follower ? follower.missedEvents() : hookMissed;
    const duplicates = follower ? follower.duplicateCount() : hook.duplicateCount();
    const reconnects = follower ? `, ${follower.reconnectCount()} reconnects` : '';
    lines.push(
      `${name}: ${account.receivedCount} events, ${account.missing} missing, ${account.strange} without a committed write, ${account.outOfOrder} out of order, ${account.old} with an older row, ${duplicates} duplicates, ${notices} notifications of missed changes${reconnects}`,
    );
    if (account.missing + account.strange + account.outOfOrder + account.old > 0) violations.push(`${name}: wrong events`);
  }
  return { text: lines.join('\n'), violations };
}
