const instants = /\b(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?(?!\d)/g;

/** Tolerance for the clock of a server, in milliseconds. */
const tolerance = 60_000;

/**
 * Replaces timestamps since the start of the replay, because two servers cannot agree on the current time. The replacement shows the format of
 * the timestamp: its separator and time zone.
 */
export function withoutNow(text: string, startedAt: number): string {
  const [first, last] = [startedAt - tolerance, Date.now() + tolerance];
  return text.replace(instants, (timestamp, day: string, separator: string, time: string, zone: string | undefined) => {
    const at = Date.parse(`${day}T${time}${zone ?? 'Z'}`);
    return at >= first && at <= last ? `now, as ${separator}${zone ?? ''}`.trimEnd() : timestamp;
  });
}
