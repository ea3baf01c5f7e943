/**
 * Upper bounds of the buckets in milliseconds. The last bucket has no bound. Stored counts depend on the bounds, so they must never change.
 */
const bounds = [
  0.25, 0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 2000, 5000, 10_000,
] as const;

/** Histogram of response times: the number of responses per bucket. */
export type Latencies = readonly number[];

export const bucketCount = bounds.length + 1;

/** Returns the index of the bucket that a response time belongs to. */
export function bucketIndexOf(milliseconds: number): number {
  let index = 0;
  while (index < bounds.length && milliseconds > (bounds[index] ?? 0)) index += 1;
  return index;
}

/**
 * Returns a percentile of the response times in milliseconds, with linear interpolation within a bucket. `share` is 0 to 1. Null if
 * there are no responses.
 */
export function percentile(latencies: Latencies, share: number): number | null {
  const totalCount = latencies.reduce((sum, count) => sum + count, 0);
  if (!totalCount) return null;
  let cumulativeCount = 0;
  for (const [index, count] of latencies.entries()) {
    const [from, until = from] = [bounds[index - 1] ?? 0, bounds[index]];
    if (cumulativeCount + count >= share * totalCount && count > 0)
      return Math.round((from + ((share * totalCount - cumulativeCount) / count) * (until - from)) * 100) / 100;
    cumulativeCount += count;
  }
  return null;
}

/** Adds histograms, bucket by bucket. */
export const sumLatencies = (histograms: readonly Latencies[]): Latencies =>
  Array.from({ length: bucketCount }, (_, index) => histograms.reduce((sum, latencies) => sum + (latencies[index] ?? 0), 0));
