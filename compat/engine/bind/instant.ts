/** What an instant is, as error messages say it. */
export const instantForm = 'an RFC 3339 timestamp such as 2026-03-01T09:30:00Z';

const form = /^(\d{4}-\d{2}-(\d{2})[Tt]([01]\d|2[0-3]):\d{2}:\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Whether a text is a moment of the years 1 to 9999 (decision 4). The graph turns it into UTC. */
export function isInstant(text: string): boolean {
  const match = form.exec(text);
  if (!match) return false;
  const local = new Date(`${match[1]}Z`);
  // A day that does not exist, such as 30 February, moves to the next month instead of failing.
  if (Number.isNaN(local.getTime()) || local.getUTCDate() !== Number(match[2])) return false;
  const year = new Date(text.toUpperCase()).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

const firstSecond = Date.parse('0001-01-01T00:00:00Z') / 1000;
const lastSecond = Date.parse('9999-12-31T23:59:59Z') / 1000;

/** Unix seconds as an instant, or null outside the years 1 to 9999. */
export const instantOfUnix = (seconds: number): string | null =>
  seconds >= firstSecond && seconds <= lastSecond ? new Date(seconds * 1000).toISOString().replace(/\.?0*Z$/, 'Z') : null;
