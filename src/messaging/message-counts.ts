import { Counts } from '../kernel/monitoring/counts.js';
import { messageKinds } from './queue-names.js';

const outcomes = ['sent', 'failed', 'dead'] as const;

/** Number of times that this process tried to send a message, by kind and outcome: `sent`, `failed` (will be retried), or `dead`. */
export const messageCounts: ReadonlyMap<string, Counts<(typeof outcomes)[number]>> = new Map(
  messageKinds.map((kind) => [kind, new Counts(outcomes)]),
);

export function countMessageAttempt(kind: string, outcome: (typeof outcomes)[number]): void {
  messageCounts.get(kind)?.add(outcome);
}
