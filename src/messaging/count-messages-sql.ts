import { createHash } from 'node:crypto';
import type { Row } from '../kernel/declare/row.js';
import { is, shaped } from '../kernel/row-shape.js';
import type { Transaction } from './ports.js';

/** A number of messages to count. */
export interface CountedMessages {
  /** Name of the limit, as in RATE_LIMITS. */
  readonly rule: string;
  /** Recipient or user that is counted. Only a hash of it is stored. */
  readonly subject: string;
  readonly count: number;
  /** Seconds after which the count starts again at 0. */
  readonly duration: number;
}

/** A count after the messages were added to it. */
export interface Count {
  readonly total: number;
  /** Milliseconds until it starts again at 0. */
  readonly msBeforeNext: number;
}

/** The key that `Limits` of the module `accounts` uses in the same table. */
const keyOf = ({ rule, subject }: CountedMessages): string =>
  `${rule}:${createHash('sha256').update(subject).digest('base64url')}`;

const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** Rows are locked in the order of their keys, so that concurrent transactions do not wait for each other in a circle. */
const statement = `
  insert into rate_limit as known (key, points, expire)
  select key, points, ${now} + duration * 1000
  from unnest($1::text[], $2::int[], $3::bigint[]) as given(key, points, duration) order by key
  on conflict (key) do update set
    points = case when known.expire > ${now} then known.points else 0 end + excluded.points,
    expire = case when known.expire > ${now} then known.expire else excluded.expire end
  returning key, points, (expire - ${now})::float8 as "msBeforeNext"`;

/** Adds messages to their counts, in the transaction that leaves the messages. A subject stands in the list once per limit. */
export async function countMessages(counted: readonly CountedMessages[], tx: Transaction): Promise<readonly Count[]> {
  if (counted.length === 0) return [];
  const values = [counted.map(keyOf), counted.map(({ count }) => count), counted.map(({ duration }) => duration)];
  const { rows } = await tx.query(statement, values);
  const counts = new Map(
    shaped(rows as Row[], { key: is.text, points: is.number, msBeforeNext: is.number }).map((row) => [row.key, row]),
  );
  return counted.map((one) => {
    const { points = 0, msBeforeNext = 0 } = counts.get(keyOf(one)) ?? {};
    return { total: points, msBeforeNext };
  });
}
