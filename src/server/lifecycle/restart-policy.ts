/** Timing of restarts and health checks, in milliseconds. */
export interface RestartPolicy {
  /** Initial restart delay. Doubles with each restart, up to the maximum. */
  readonly initialDelay: number;
  readonly maxDelay: number;
  /** Uptime after which the restart delay is reset. */
  readonly resetAfter: number;
  /** Interval of health checks. */
  readonly checkInterval: number;
  /** Timeout of a health check. */
  readonly checkTimeout: number;
}

export const defaultRestartPolicy: RestartPolicy = {
  initialDelay: 500,
  maxDelay: 30_000,
  resetAfter: 60_000,
  checkInterval: 1_000,
  checkTimeout: 5_000,
};

/** Next restart delay. `previousDelay` is null for the first restart. */
export const nextDelay = (
  uptime: number,
  previousDelay: number | null,
  { initialDelay, maxDelay, resetAfter }: RestartPolicy,
): number => (previousDelay === null || uptime >= resetAfter ? initialDelay : Math.min(previousDelay * 2, maxDelay));
