const instants = /\b(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?(?!\d)/g;

/** Maximum difference between the clocks of the servers and of this process, in milliseconds. */
const toleranceMs = 60_000;

/**
 * Replaces timestamps between `startedAt` and now, which differ between two servers. The replacement contains the separator and the time zone, to
 * detect different formats.
 */
export function replaceRecentTimestamps(text: string, startedAt: number): string {
  const [first, last] = [startedAt - toleranceMs, Date.now() + toleranceMs];
  return text.replace(instants, (match, day: string, separator: string, time: string, zone: string | undefined) => {
    const timestamp = Date.parse(`${day}T${time}${zone ?? 'Z'}`);
    return timestamp >= first && timestamp <= last ? `now, as ${separator}${zone ?? ''}`.trimEnd() : match;
  });
}
