const shape = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** A timestamp that is normal and valid as it stands; of days that not every month has, nothing is said. */
const normal = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** What an instant is, as error messages say it. */
export const instantForm = 'an RFC 3339 timestamp such as 2026-03-01T09:30:00Z';

/**
 * An RFC 3339 timestamp in any offset as UTC text with `Z`, cut to the microsecond that PostgreSQL keeps, no trailing zeros (decision 4).
 * Null when the text is no valid timestamp. Text all the way: a Date would lose digits.
 */
export function normalizeInstant(text: string): string | null {
  if (normal.test(text)) return text;
  const match = shape.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = match;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
  const time = Date.parse(local);
  // A day that does not exist (30 February) moves to another one instead of failing.
  if (Number.isNaN(time) || Number(hour) > 23 || new Date(time).getUTCDate() !== Number(day)) return null;
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return null;
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * (sign === '-' ? -1 : 1);
  const utc = new Date(time - offset * 60_000);
  const utcYear = utc.getUTCFullYear();
  if (utcYear < 1 || utcYear > 9999) return null;
  const digits = fraction.slice(0, 6).replace(/0+$/, '');
  return `${utc.toISOString().slice(0, 19)}${digits && `.${digits}`}Z`;
}

/** PostgreSQL's text of a timestamptz in a session whose time zone is UTC, as RFC 3339. */
export const instantFromDatabase = (text: string): string =>
  text.endsWith('+00') ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : `${text.slice(0, 10)}T${text.slice(11)}`;

const withoutZone = (instant: string): string => instant.slice(0, -1);

/** Whether an instant is another one or before it: compared as text, because a Date would lose digits. */
export const isUpTo = (instant: string, other: string): boolean => withoutZone(instant) <= withoutZone(other);

/** A moment as an instant, with no more digits than it has. */
export const instantOf = (date: Date): string => date.toISOString().replace(/\.?0*Z$/, 'Z');

/** The present moment as an instant. */
export const now = (): string => instantOf(new Date());
