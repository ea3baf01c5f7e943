import { createHash } from 'node:crypto';
import type { Row } from '../kernel/declare/row.js';
import { checkedRows, is } from '../kernel/row-shape.js';
import type { Transaction } from './ports.js';
import { queueSchema } from './queue-names.js';

/** Number of messages to add to one counter. */
export interface CountedMessages {
  /** Name of the limit, as in RATE_LIMITS. */
  readonly rule: string;
  /** Entity that the counter belongs to, such as a recipient, a user or a webhook. Only a hash of it is stored. */
  readonly subject: string;
  /** A negative number subtracts messages. */
  readonly count: number;
  /** Seconds after which the counter is reset. */
  readonly duration: number;
}

/** Value of a limit's counter, including the messages that were just added. */
export interface LimitCount {
  readonly total: number;
  /** Milliseconds until the counter is reset. */
  readonly msBeforeNext: number;
}

/** Returns the key of a counter, in the same format as the keys of `Limits` in the `accounts` module, which uses the same table. */
const keyOf = ({ rule, subject }: CountedMessages): string =>
  `${rule}:${createHash('sha256').update(subject).digest('base64url')}`;

const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** Locks the rows in the order of their keys, so that concurrent transactions do not deadlock. */
const addToCounters = `
  insert into rate_limit as known (key, points, expire)
  select key, points, ${now} + duration * 1000
  from unnest($1::text[], $2::int[], $3::bigint[]) as given(key, points, duration) order by key
  on conflict (key) do update set
    points = greatest(case when known.expire > ${now} then known.points else 0 end + excluded.points, 0),
    expire = case when known.expire > ${now} then known.expire else excluded.expire end
  returning key, points, (expire - ${now})::float8 as "msBeforeNext"`;

/**
 * Increments the counters of messages, in the transaction that enqueues the messages. Returns the counts in the same order. `countedMessages` has
 * at most one element per rule and subject.
 */
export async function countMessages(
  countedMessages: readonly CountedMessages[],
  tx: Transaction,
): Promise<readonly LimitCount[]> {
  if (countedMessages.length === 0) return [];
  const values = [
    countedMessages.map(keyOf),
    countedMessages.map(({ count }) => count),
    countedMessages.map(({ duration }) => duration),
  ];
  const { rows } = await tx.query(addToCounters, values);
  const counts = new Map(
    checkedRows(rows as Row[], { key: is.text, points: is.number, msBeforeNext: is.number }).map((row) => [row.key, row]),
  );
  return countedMessages.map((messages) => {
    const { points = 0, msBeforeNext = 0 } = counts.get(keyOf(messages)) ?? {};
    return { total: points, msBeforeNext };
  });
}

/**
 * Deletes messages in the given queues that are addressed to one of the recipients, or that match a regular expression in their content or
 * error.
 */
export const deleteMessages = `
  delete from ${queueSchema}.job where name = any($1) and (lower(data->>'to') = any($2) or data::text ~* $3 or output::text ~* $3)`;
