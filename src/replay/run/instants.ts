const instants = /\b(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?(?!\d)/g;

/** Tolerance for the clock of a server, in milliseconds. */
const toleranceMs = 60_000;

/**
 * Replaces timestamps since the start of the replay, because two servers cannot agree on the current time. The replacement shows the format of
 * the timestamp: its separator and time zone.
 */
export function withoutNow(text: string, startedAt: number): string {
  const [first, last] = [startedAt - toleranceMs, Date.now() + toleranceMs];
  return text.replace(instants, (match, day: string, separator: string, time: string, zone: string | undefined) => {
    const timestamp = Date.parse(`${day}T${time}${zone ?? 'Z'}`);
    return timestamp >= first && timestamp <= last ? `now, as ${separator}${zone ?? ''}`.trimEnd() : match;
  });
}
