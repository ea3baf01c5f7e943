const timestampPattern = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** Fast path for valid, normalized timestamps. Excludes days after the 28th, which do not exist in every month. */
const normalizedPattern = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** Description of the instant format, for error messages. */
export const instantFormat = 'an RFC 3339 timestamp such as 2026-03-01T09:30:00Z';

/**
 * Converts an RFC 3339 timestamp to UTC, truncated to microseconds as in PostgreSQL, without trailing zeros (decision 4). Returns null if
 * the text is not a valid timestamp. `Date` is not used for the fraction, because it has only milliseconds.
 */
export function normalizeInstant(text: string): string | null {
  if (normalizedPattern.test(text)) return text;
  const match = timestampPattern.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = match;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
  const time = Date.parse(local);
  // `Date.parse` accepts nonexistent days such as February 30 and returns a later day.
  if (Number.isNaN(time) || Number(hour) > 23 || new Date(time).getUTCDate() !== Number(day)) return null;
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return null;
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * (sign === '-' ? -1 : 1);
  const utc = new Date(time - offset * 60_000);
  const utcYear = utc.getUTCFullYear();
  if (utcYear < 1 || utcYear > 9999) return null;
  const digits = fraction.slice(0, 6).replace(/0+$/, '');
  return `${utc.toISOString().slice(0, 19)}${digits && `.${digits}`}Z`;
}

/** Converts the text of a PostgreSQL `timestamptz` to RFC 3339. The time zone of the database session must be UTC. */
export const instantFromDatabase = (text: string): string =>
  text.endsWith('+00') ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : `${text.slice(0, 10)}T${text.slice(11)}`;

const withoutZone = (instant: string): string => instant.slice(0, -1);

/** Whether an instant is before or equal to another one. Compares strings, because `Date` has only millisecond precision. */
export const isAtOrBefore = (instant: string, other: string): boolean => withoutZone(instant) <= withoutZone(other);

/** Converts a date to an instant without trailing zeros. */
export const instantOf = (date: Date): string => date.toISOString().replace(/\.?0*Z$/, 'Z');

/** Returns the current time as an instant. */
export const now = (): string => instantOf(new Date());
