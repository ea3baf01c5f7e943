import { zoneClock } from './zone-clock.js';
import { abbreviation, genericName, seasonalName, zoneNames } from './zone-names.js';

/** What a zone's row keeps whatever the packages say later. */
export interface NumberedZone {
  id: string;
  ianaName: string;
}

/** Every IANA zone in a year: zones that have a number keep it, new ones get the next numbers. */
export function timezones(numbered: readonly NumberedZone[], year: number) {
  const known = new Set(numbered.map(({ ianaName }) => ianaName));
  const last = Math.max(0, ...numbered.map(({ id }) => Number(id)));
  const fresh = zoneNames().filter((name) => !known.has(name));
  return [...numbered, ...fresh.map((ianaName, index) => ({ id: String(last + 1 + index), ianaName }))].map((zone) =>
    timezone(zone, year),
  );
}

function timezone({ id, ianaName }: NumberedZone, year: number) {
  const { standard, daylight } = zoneClock(ianaName, year);
  const inStandardTime = daylight?.ends ?? Date.UTC(year + 1);
  const standardAbbreviation = abbreviation(ianaName, inStandardTime, 'abbreviation');
  return {
    id,
    utcOffset: standard,
    title: genericName(ianaName, inStandardTime),
    abbreviation: standardAbbreviation,
    fullName: seasonalName(ianaName, inStandardTime),
    hasDaylightSaving: daylight !== null,
    ianaName,
    daylightStartsAt: daylight && instant(daylight.begins),
    standardStartsAt: daylight && instant(daylight.ends),
    daylightAbbreviation: daylight ? abbreviation(ianaName, daylight.begins, 'dstAbbreviation') : standardAbbreviation,
    daylightUtcOffset: daylight?.offset ?? standard,
  };
}

const instant = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z');
