import { instantOf, normalizeInstant } from '../../../src/graphql/run.js';

/** Expected format of a timestamp in a request, for error messages. */
export const instantExpectation = 'an ISO 8601 timestamp such as 2026-03-01T09:30:00Z';

/** JSON Schema format of timestamps in requests. The standard format `date-time` permits only RFC 3339. */
export const timestampFormat = 'iso-8601';

/** Matches an ISO 8601 timestamp. Groups: date, hours and minutes, seconds, offset hours with their sign, offset minutes. */
const iso8601 = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2}(?:\.\d{1,9})?))?(?:Z|([+-]\d{2})(?::?(\d{2}))?)?)?$/i;

/**
 * Converts an ISO 8601 timestamp to RFC 3339 (decision 55). Keeps the offset, which defaults to UTC. Returns null if the timestamp is
 * invalid or outside the years 1 to 9999.
 */
export function instantFrom(text: string): string | null {
  // RFC 3339 permits a space instead of the T, but `/v1` rejects it.
  if (text[10] !== ' ' && normalizeInstant(text) !== null) return text;
  const [match, date, time = '00:00', seconds = '00', offset, minutes = '00'] = iso8601.exec(text) ?? [];
  if (match === undefined) return null;
  const instant = `${date}T${time}:${seconds}${offset === undefined ? 'Z' : `${offset}:${minutes}`}`;
  return normalizeInstant(instant) === null ? null : instant;
}

const firstSecond = Date.parse('0001-01-01T00:00:00Z') / 1000;
const lastSecond = Date.parse('9999-12-31T23:59:59Z') / 1000;

/** Converts Unix seconds to an RFC 3339 timestamp. Returns null for times outside the years 1 to 9999. */
export const instantOfUnix = (seconds: number): string | null =>
  seconds >= firstSecond && seconds <= lastSecond ? instantOf(new Date(seconds * 1000)) : null;
