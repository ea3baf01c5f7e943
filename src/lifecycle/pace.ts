/** When a process is looked after, in milliseconds. */
export interface Pace {
  /** The first pause before it is started again; it doubles each time, up to the longest. */
  readonly shortestPause: number;
  readonly longestPause: number;
  /** A life of that length was a good one: the pause after it is the shortest again. */
  readonly goodLife: number;
  /** Pause between two looks whether it answers. */
  readonly look: number;
  /** How long an answer may take. */
  readonly patience: number;
}

export const usual: Pace = {
  shortestPause: 500,
  longestPause: 30_000,
  goodLife: 60_000,
  look: 1_000,
  patience: 5_000,
};

/** The pause after a life of some length, the one before it known unless that was the first life. */
export const pauseAfter = (lived: number, before: number | null, { shortestPause, longestPause, goodLife }: Pace): number =>
  before === null || lived >= goodLife ? shortestPause : Math.min(before * 2, longestPause);
