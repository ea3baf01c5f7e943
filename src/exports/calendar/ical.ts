/** A whole day or an instant. */
type CalendarTime = { readonly date: string } | { readonly instant: string };

/** A calendar event. */
export interface CalendarEntry {
  /** Stable ID of the event. */
  readonly uid: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sequence?: number;
  readonly starts: CalendarTime;
  /** End of the event. For whole days, it is the day after the last day. */
  readonly ends?: CalendarTime | null;
  readonly summary: string;
  readonly description?: string | null;
  readonly location?: string | null;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
  readonly url?: string | null;
  readonly status?: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED';
}

/** Maximum length of a line in bytes, without the line break. */
const maxLineBytes = 75;

/** Folds a line as required by RFC 5545. Continuation lines start with a space. Does not split multi-byte characters. */
function foldLine(line: string): string {
  let text = '';
  let remaining = maxLineBytes;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (size > remaining) {
      text += '\r\n ';
      remaining = maxLineBytes - 1;
    }
    text += character;
    remaining -= size;
  }
  return `${text}\r\n`;
}

/** Control characters that iCalendar does not allow in text values. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose
const controlCharacters = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

const escapeText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(controlCharacters, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

/** Returns the start and end of an entry as instants. Omits an end that is not after the start. */
export const startAndEndOf = (startsAt: string, endsAt: string | null): Pick<CalendarEntry, 'starts' | 'ends'> => ({
  starts: { instant: startsAt },
  ends: endsAt !== null && Date.parse(endsAt) > Date.parse(startsAt) ? { instant: endsAt } : null,
});

/** Formats an instant in UTC, which needs no time zone definition. */
const formatUtc = (instant: string): string => `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

const formatTime = (name: string, time: CalendarTime): string =>
  'date' in time ? `${name};VALUE=DATE:${time.date.replaceAll('-', '')}` : `${name}:${formatUtc(time.instant)}`;

/** Calendar apps open URLs, so only web pages are allowed. */
const isWebUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

const isCoordinate = (degrees: number | null | undefined): degrees is number => typeof degrees === 'number';

function linesOf({ starts, ends, latitude, longitude, url, ...entry }: CalendarEntry): string[] {
  const text = (name: string, value: string | null | undefined) => (value ? [`${name}:${escapeText(value)}`] : []);
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(entry.uid)}`,
    `DTSTAMP:${formatUtc(entry.updatedAt)}`,
    `CREATED:${formatUtc(entry.createdAt)}`,
    `LAST-MODIFIED:${formatUtc(entry.updatedAt)}`,
    ...(entry.sequence === undefined ? [] : [`SEQUENCE:${entry.sequence}`]),
    formatTime('DTSTART', starts),
    ...(ends ? [formatTime('DTEND', ends)] : []),
    ...text('SUMMARY', entry.summary),
    ...text('DESCRIPTION', entry.description),
    ...text('LOCATION', entry.location),
    ...(isCoordinate(latitude) && isCoordinate(longitude) ? [`GEO:${latitude.toFixed(6)};${longitude.toFixed(6)}`] : []),
    ...(url && isWebUrl(url) ? [`URL:${new URL(url).href}`] : []),
    ...(entry.status ? [`STATUS:${entry.status}`] : []),
    'END:VEVENT',
  ];
}

/** Builds a calendar in iCalendar format (RFC 5545). Asks subscribed calendar apps to refresh it every hour. */
export const calendarText = (name: string, entries: readonly CalendarEntry[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Courtside//Courtside//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...entries.flatMap(linesOf),
    'END:VCALENDAR',
  ]
    .map(foldLine)
    .join('');

/** GraphQL selection of the location fields that calendars need. */
export const locationFields = 'location { venue streetAddress city zip legacy { state country } latitude longitude }';

/** Location of a tournament or game, as selected by `locationFields`. */
export interface LocationData {
  readonly location: {
    readonly venue: string | null;
    readonly streetAddress: string | null;
    readonly city: string | null;
    readonly zip: string | null;
    readonly legacy: { readonly state: string | null; readonly country: string | null };
    readonly latitude: number | null;
    readonly longitude: number | null;
  };
}

/** Returns the location in iCalendar format: a one-line address, and coordinates. */
export const calendarLocation = ({ location }: LocationData) => {
  const { venue, streetAddress, city, zip, legacy, latitude, longitude } = location;
  const cityLine = [city, [legacy.state, zip].filter(Boolean).join(' ')];
  return { location: [venue, streetAddress, ...cityLine, legacy.country].filter(Boolean).join(', '), latitude, longitude };
};
