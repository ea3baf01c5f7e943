/** Upper bounds of the buckets in milliseconds; what takes longer is in one more. They are never changed: counts of all days add up. */
const bounds = [
  0.25, 0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 2000, 5000, 10_000,
] as const;

/** How many answers took how long, by the places of the buckets. */
export type Latencies = readonly number[];

/** How many buckets there are. */
export const buckets = bounds.length + 1;

/** The bucket of an answer. */
export function bucketOf(milliseconds: number): number {
  let place = 0;
  while (place < bounds.length && milliseconds > (bounds[place] ?? 0)) place += 1;
  return place;
}

/** The time within which that share of the answers was given, as if those of a bucket were spread evenly over it; null without any. */
export function percentile(latencies: Latencies, share: number): number | null {
  const all = latencies.reduce((sum, count) => sum + count, 0);
  if (!all) return null;
  let before = 0;
  for (const [place, count] of latencies.entries()) {
    const [from, until = from] = [bounds[place - 1] ?? 0, bounds[place]];
    if (before + count >= share * all && count > 0)
      return Math.round((from + ((share * all - before) / count) * (until - from)) * 100) / 100;
    before += count;
  }
  return null;
}

/** The counts of several together. */
export const addedUp = (all: readonly Latencies[]): Latencies =>
  Array.from({ length: buckets }, (_, place) => all.reduce((sum, latencies) => sum + (latencies[place] ?? 0), 0));
