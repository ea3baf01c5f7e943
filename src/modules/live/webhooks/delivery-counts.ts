/**
 * Number of delivery attempts by this process, grouped by outcome, for metrics. A failed attempt that pauses the webhook counts as both
 * `failed` and `paused`.
 */
const counts = { delivered: 0, failed: 0, paused: 0 };
type DeliveryOutcome = keyof typeof counts;

export const countDelivery = (outcome: DeliveryOutcome): void => {
  counts[outcome] += 1;
};

export const deliveryCounts = (): Readonly<Record<DeliveryOutcome, number>> => counts;
