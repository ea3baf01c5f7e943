import { zoneClock } from './zone-clock.js';
import { genericZoneName, seasonalZoneName, zoneAbbreviation, zoneNames } from './zone-names.js';

/** Name of a time zone, and its assigned ID, which never changes. */
export interface NumberedZone {
  id: string;
  ianaName: string;
}

/** Returns all IANA time zones. Existing time zones keep their IDs. New time zones get the next numbers. */
export function assignZoneIds(assignedIds: readonly NumberedZone[]): NumberedZone[] {
  const existingNames = new Set(assignedIds.map(({ ianaName }) => ianaName));
  const lastId = Math.max(0, ...assignedIds.map(({ id }) => Number(id)));
  const newNames = zoneNames().filter((name) => !existingNames.has(name));
  return [...assignedIds, ...newNames.map((ianaName, index) => ({ id: String(lastId + 1 + index), ianaName }))];
}

/** Returns the rows of all IANA time zones, with the clock changes of a year. */
export const timezones = (assignedIds: readonly NumberedZone[], year: number) =>
  assignZoneIds(assignedIds).map((zone) => timezone(zone, year));

function timezone({ id, ianaName }: NumberedZone, year: number) {
  const { standard, daylight } = zoneClock(ianaName, year);
  const standardInstant = daylight?.endsAt ?? Date.UTC(year + 1);
  const standardAbbreviation = zoneAbbreviation(ianaName, standardInstant, 'abbreviation');
  return {
    id,
    utcOffset: standard,
    title: genericZoneName(ianaName, standardInstant),
    abbreviation: standardAbbreviation,
    fullName: seasonalZoneName(ianaName, standardInstant),
    hasDaylightSaving: daylight !== null,
    ianaName,
    daylightStartsAt: daylight && instant(daylight.startsAt),
    standardStartsAt: daylight && instant(daylight.endsAt),
    daylightAbbreviation: daylight ? zoneAbbreviation(ianaName, daylight.startsAt, 'dstAbbreviation') : standardAbbreviation,
    daylightUtcOffset: daylight?.offset ?? standard,
  };
}

const instant = (milliseconds: number) => new Date(milliseconds).toISOString().replace('.000Z', 'Z');
