/** When something is: a whole day by its date, or a moment. */
export type When = { readonly date: string } | { readonly instant: string };

/** Something in a calendar. */
export interface CalendarEntry {
  /** Always the same for the same thing. */
  readonly uid: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sequence?: number;
  readonly starts: When;
  /** Of whole days the first one that is free again. */
  readonly ends?: When | null;
  readonly summary: string;
  readonly description?: string | null;
  readonly location?: string | null;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
  readonly url?: string | null;
  readonly status?: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED';
}

/** Most bytes of a line, without its break. */
const longest = 75;

/** A line as RFC 5545 has it: what is longer goes on in the next one behind a blank. No letter is cut. */
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

/** What no text may have: controls but tabs and breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

const escaped = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(unwritable, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

/** A moment in UTC, which is right in every time zone and needs no table of one. */
const utc = (instant: string): string => `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

const when = (name: string, at: When): string =>
  'date' in at ? `${name};VALUE=DATE:${at.date.replaceAll('-', '')}` : `${name}:${utc(at.instant)}`;

/** Apps open what stands here: no script, and no file. */
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

/** A calendar of RFC 5545. Apps that follow it look again after an hour. */
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
