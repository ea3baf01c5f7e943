import { zoneClock } from './zone-clock.js';
import { abbreviation, genericName, seasonalName, zoneNames } from './zone-names.js';

/** Name of a time zone, and its assigned ID, which never changes. */
export interface NumberedZone {
  id: string;
  ianaName: string;
}

/** Returns all IANA time zones. Existing ones keep their IDs. New ones get the next numbers. */
export function numberZones(numbered: readonly NumberedZone[]): NumberedZone[] {
  const existing = new Set(numbered.map(({ ianaName }) => ianaName));
  const lastId = Math.max(0, ...numbered.map(({ id }) => Number(id)));
  const newNames = zoneNames().filter((name) => !existing.has(name));
  return [...numbered, ...newNames.map((ianaName, index) => ({ id: String(lastId + 1 + index), ianaName }))];
}

/** Returns the rows of all IANA time zones, with the clock changes of a year. */
export const timezones = (numbered: readonly NumberedZone[], year: number) =>
  numberZones(numbered).map((zone) => timezone(zone, year));

function timezone({ id, ianaName }: NumberedZone, year: number) {
  const { standard, daylight } = zoneClock(ianaName, year);
  const standardInstant = daylight?.endsAt ?? Date.UTC(year + 1);
  const standardAbbreviation = abbreviation(ianaName, standardInstant, 'abbreviation');
  return {
    id,
    utcOffset: standard,
    title: genericName(ianaName, standardInstant),
    abbreviation: standardAbbreviation,
    fullName: seasonalName(ianaName, standardInstant),
    hasDaylightSaving: daylight !== null,
    ianaName,
    daylightStartsAt: daylight && instant(daylight.startsAt),
    standardStartsAt: daylight && instant(daylight.endsAt),
    daylightAbbreviation: daylight ? abbreviation(ianaName, daylight.startsAt, 'dstAbbreviation') : standardAbbreviation,
    daylightUtcOffset: daylight?.offset ?? standard,
  };
}

const instant = (milliseconds: number) => new Date(milliseconds).toISOString().replace('.000Z', 'Z');
