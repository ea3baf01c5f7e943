import { zoneClock } from './zone-clock.js';
import { abbreviation, genericName, seasonalName, zoneNames } from './zone-names.js';

/** Values of a time zone that never change with package updates. */
export interface NumberedZone {
  id: string;
  ianaName: string;
}

/** All IANA time zones. Existing ones keep their IDs, new ones get the next numbers. */
export function numberZones(numbered: readonly NumberedZone[]): NumberedZone[] {
  const existing = new Set(numbered.map(({ ianaName }) => ianaName));
  const last = Math.max(0, ...numbered.map(({ id }) => Number(id)));
  const newNames = zoneNames().filter((name) => !existing.has(name));
  return [...numbered, ...newNames.map((ianaName, index) => ({ id: String(last + 1 + index), ianaName }))];
}

/** The rows of all IANA zones, with their clock changes of a year. */
export const timezones = (numbered: readonly NumberedZone[], year: number) =>
  numberZones(numbered).map((zone) => timezone(zone, year));

function timezone({ id, ianaName }: NumberedZone, year: number) {
  const { standard, daylight } = zoneClock(ianaName, year);
  const inStandardTime = daylight?.endsAt ?? Date.UTC(year + 1);
  const standardAbbreviation = abbreviation(ianaName, inStandardTime, 'abbreviation');
  return {
    id,
    utcOffset: standard,
    title: genericName(ianaName, inStandardTime),
    abbreviation: standardAbbreviation,
    fullName: seasonalName(ianaName, inStandardTime),
    hasDaylightSaving: daylight !== null,
    ianaName,
    daylightStartsAt: daylight && instant(daylight.startsAt),
    standardStartsAt: daylight && instant(daylight.endsAt),
    daylightAbbreviation: daylight ? abbreviation(ianaName, daylight.startsAt, 'dstAbbreviation') : standardAbbreviation,
    daylightUtcOffset: daylight?.offset ?? standard,
  };
}

const instant = (milliseconds: number) => new Date(milliseconds).toISOString().replace('.000Z', 'Z');
