/** Time zone for local times: an IANA time zone or, if it is unknown, an offset from UTC in seconds. */
export interface LocalTime {
  readonly timeZone: string | null;
  readonly utcOffset: number | null;
}

/**
 * Returns the local date at an instant, such as `2026-11-22`. If neither the time zone nor the offset is known, returns the date in UTC.
 */
export function dateOn(instant: string, { timeZone, utcOffset }: LocalTime): string {
  const date = new Date(instant);
  if (timeZone === null) return new Date(date.getTime() + (utcOffset ?? 0) * 1000).toISOString().slice(0, 10);
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const parts = new Map(formatter.formatToParts(date).map(({ type, value }) => [type, value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

/** Returns the day after a date. */
export const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
