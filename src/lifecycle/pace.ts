/** Timing of restarts and health checks, in milliseconds. */
export interface Pace {
  /** Initial restart delay. Doubles with each restart, up to the maximum. */
  readonly shortestPause: number;
  readonly longestPause: number;
  /** Uptime after which the restart delay is reset. */
  readonly goodLife: number;
  /** Interval of health checks. */
  readonly look: number;
  /** Timeout of a health check. */
  readonly patience: number;
}

export const usual: Pace = {
  shortestPause: 500,
  longestPause: 30_000,
  goodLife: 60_000,
  look: 1_000,
  patience: 5_000,
};

/** Next restart delay, from the uptime and the previous delay, if any. */
export const pauseAfter = (lived: number, before: number | null, { shortestPause, longestPause, goodLife }: Pace): number =>
  before === null || lived >= goodLife ? shortestPause : Math.min(before * 2, longestPause);
