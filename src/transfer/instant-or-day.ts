import { instantFormat, normalizeInstant } from '../kernel/declare/scalars/instant.js';

/** Description of the format of points in time in files and options, for error messages. */
export const instantOrDayFormat = `${instantFormat}, or a day such as 2026-03-01`;

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** Converts an RFC 3339 timestamp, or a day, to UTC. A day is midnight UTC. Returns null for other text. */
export const normalizeInstantOrDay = (text: string): string | null =>
  normalizeInstant(dayPattern.test(text) ? `${text}T00:00:00Z` : text);
