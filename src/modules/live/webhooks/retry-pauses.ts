/** Retry schedule of failed deliveries. */
export interface RetryPauses {
  /** Pauses in seconds, one after each failed attempt. If the attempt after the last pause fails, the webhook is paused. */
  readonly seconds: readonly number[];
  /** Random variation of a pause, as a fraction, so that retries do not coincide. */
  readonly jitter: number;
}

const [minute, hour] = [60, 3600];

/** Schedule that Standard Webhooks recommends. It spans about a day. */
export const defaultRetryPauses: RetryPauses = {
  seconds: [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 6 * hour],
  jitter: 0.1,
};

/** Maximum pause in seconds that a receiver can request. */
const maxRetryAfter = hour;

/**
 * Returns the seconds until the next attempt, or null after the last attempt. The `retryAfter` of the receiver can only extend the pause.
 */
export function retryPause(attempts: number, retryAfter: number | null, { seconds, jitter }: RetryPauses): number | null {
  const pause = seconds[attempts - 1];
  if (pause === undefined) return null;
  return Math.max(pause * (1 + jitter * (2 * Math.random() - 1)), Math.min(retryAfter ?? 0, maxRetryAfter));
}
