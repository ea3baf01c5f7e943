import { instantFormat, normalizeInstant } from '../kernel/declare/scalars/instant.js';

/** Expected format of points in time in files and options, for error messages. */
export const instantOrDayFormat = `${instantFormat}, or a day such as 2026-03-01`;

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** Matches seconds followed by an offset in whole hours, as PostgreSQL writes it to CSV. */
const hourOffsetPattern = /:\d{2}(?:\.\d+)?[+-]\d{2}$/;

/**
 * Converts an RFC 3339 timestamp, or a day, to UTC. A day is midnight UTC. The offset can also consist of hours only, as in
 * 2026-03-01 09:30:00+00. Returns null for other text.
 */
export const normalizeInstantOrDay = (text: string): string | null =>
  normalizeInstant(dayPattern.test(text) ? `${text}T00:00:00Z` : hourOffsetPattern.test(text) ? `${text}:00` : text);
