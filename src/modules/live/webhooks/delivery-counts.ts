/** What became of attempts in this process, for those who count. */
const outcomes = { delivered: 0, failed: 0, paused: 0 };
export type DeliveryOutcome = keyof typeof outcomes;

export const countDelivery = (outcome: DeliveryOutcome): void => {
  outcomes[outcome] += 1;
};

export const deliveryOutcomes = (): Readonly<Record<DeliveryOutcome, number>> => outcomes;
