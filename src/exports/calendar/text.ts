/** A whole day or an instant. */
export type When = { readonly date: string } | { readonly instant: string };

/** A calendar event. */
export interface CalendarEntry {
  /** Stable ID of the event. */
  readonly uid: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sequence?: number;
  readonly starts: When;
  /** For whole days, the day after the last one. */
  readonly ends?: When | null;
  readonly summary: string;
  readonly description?: string | null;
  readonly location?: string | null;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
  readonly url?: string | null;
  readonly status?: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED';
}

/** Maximum length of a line in bytes, without the line break. */
const longest = 75;

/** Folds a line as required by RFC 5545: continuation lines start with a space. Does not split characters. */
function folded(line: string): string {
  let text = '';
  let room = longest;
  for (const letter of line) {
    const size = Buffer.byteLength(letter);
    if (size > room) {
      text += '\r\n ';
      room = longest - 1;
    }
    text += letter;
    room -= size;
  }
  return `${text}\r\n`;
}

/** Control characters that are not allowed in texts. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

const escaped = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(unwritable, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

/** Instant in UTC, which needs no time zone definition. */
const utc = (instant: string): string => `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

const when = (name: string, at: When): string =>
  'date' in at ? `${name};VALUE=DATE:${at.date.replaceAll('-', '')}` : `${name}:${utc(at.instant)}`;

/** Calendar apps open URLs, so scripts and files are excluded. */
const isPage = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

const isPlace = (degrees: number | null | undefined): degrees is number => typeof degrees === 'number';

function linesOf({ starts, ends, latitude, longitude, url, ...entry }: CalendarEntry): string[] {
  const text = (name: string, value: string | null | undefined) => (value ? [`${name}:${escaped(value)}`] : []);
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(entry.uid)}`,
    `DTSTAMP:${utc(entry.updatedAt)}`,
    `CREATED:${utc(entry.createdAt)}`,
    `LAST-MODIFIED:${utc(entry.updatedAt)}`,
    ...(entry.sequence === undefined ? [] : [`SEQUENCE:${entry.sequence}`]),
    when('DTSTART', starts),
    ...(ends ? [when('DTEND', ends)] : []),
    ...text('SUMMARY', entry.summary),
    ...text('DESCRIPTION', entry.description),
    ...text('LOCATION', entry.location),
    ...(isPlace(latitude) && isPlace(longitude) ? [`GEO:${latitude.toFixed(6)};${longitude.toFixed(6)}`] : []),
    ...(url && isPage(url) ? [`URL:${new URL(url).href}`] : []),
    ...(entry.status ? [`STATUS:${entry.status}`] : []),
    'END:VEVENT',
  ];
}

/** Builds an iCalendar text (RFC 5545). Subscribed apps refresh it every hour. */
export const calendarText = (name: string, entries: readonly CalendarEntry[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Courtside//Courtside//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...entries.flatMap(linesOf),
    'END:VCALENDAR',
  ]
    .map(folded)
    .join('');
