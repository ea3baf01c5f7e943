import { Counts } from '../kernel/monitoring/counts.js';

const outcomes = ['sent', 'failed', 'dead'] as const;

/** Number of attempts of this process to send a message, by kind and outcome: `sent`, `failed` (will be retried), or `dead`. */
export const messageCounts = new Map<string, Counts<(typeof outcomes)[number]>>();

export function countMessageAttempt(kind: string, outcome: (typeof outcomes)[number]): void {
  const counts = messageCounts.get(kind) ?? new Counts(outcomes);
  messageCounts.set(kind, counts);
  counts.add(outcome);
}
