/** When a delivery that failed is sent again. */
export interface RetryPauses {
  /** Seconds after each attempt that failed; behind the last one the webhook is paused. */
  readonly seconds: readonly number[];
  /** By which part a pause may be longer or shorter, so that not everything is sent again at once. */
  readonly jitter: number;
}

const [minute, hour] = [60, 3600];

/** The schedule of Standard Webhooks, for about a day. */
export const forADay: RetryPauses = {
  seconds: [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 6 * hour],
  jitter: 0.1,
};

/** The longest pause that a receiver asks for. */
const longest = hour;

/** Seconds until the next attempt, after so many that failed; null where there is none. A receiver may make a pause longer, never shorter. */
export function pauseBefore(attempts: number, retryAfter: number | null, { seconds, jitter }: RetryPauses): number | null {
  const pause = seconds[attempts - 1];
  if (pause === undefined) return null;
  return Math.max(pause * (1 + jitter * (2 * Math.random() - 1)), Math.min(retryAfter ?? 0, longest));
}
