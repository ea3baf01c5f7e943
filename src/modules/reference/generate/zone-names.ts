import { abbreviations as abbreviationsByName, rawTimeZones, timeZonesNames } from '@vvo/tzdb';
import cldr from 'cldr-bcp47/bcp47/timezone.json' with { type: 'json' };

/** Names in the CLDR list that are not time zones, or that IANA has removed. */
const excludedNames = new Set(['Etc/Unknown', 'Factory', 'Canada/East-Saskatchewan', 'US/Pacific-New']);

/** Returns all names in the IANA database, including links, in alphabetical order. */
export function zoneNames() {
  const aliases = Object.values(cldr.keyword.u.tz).flatMap((zone) =>
    typeof zone === 'object' && '_alias' in zone ? zone._alias.split(' ') : [],
  );
  const names = new Set([...aliases, ...timeZonesNames, ...Intl.supportedValuesOf('timeZone')]);
  return [...names].filter((name) => !excludedNames.has(name)).sort();
}

const groups = new Map(rawTimeZones.flatMap((zone) => [zone.name, ...zone.group].map((name) => [name, zone] as const)));

/** Returns the name of a time zone for all seasons, such as "Eastern Time". */
export function genericZoneName(ianaName: string, milliseconds: number) {
  const name = intlName(ianaName, milliseconds, 'longGeneric');
  return name.startsWith('GMT') ? seasonalZoneName(ianaName, milliseconds) : withoutStandard(name);
}

/** Returns the name of a time zone in the season of an instant, such as "Eastern Standard Time". */
export const seasonalZoneName = (ianaName: string, milliseconds: number) => intlName(ianaName, milliseconds, 'long');

/**
 * Returns the abbreviation of a time zone in the season of an instant, such as "EST". For zones without an abbreviation, returns an offset
 * such as "GMT+3".
 */
export function zoneAbbreviation(ianaName: string, milliseconds: number, season: 'abbreviation' | 'dstAbbreviation') {
  // Intl has abbreviations for only a few countries, such as the United States. For others, it returns offsets such as GMT+1.
  const intl = intlName(ianaName, milliseconds, 'short');
  if (/^[A-Z]+$/.test(intl)) return intl;
  const name = seasonalZoneName(ianaName, milliseconds);
  // A tzdb group contains all zones with the same offsets. Some zones of a group have their own names and abbreviations.
  const group = groups.get(ianaName);
  const groupAbbreviation = group?.alternativeName === genericZoneName(ianaName, milliseconds) ? group[season] : undefined;
  return abbreviationsByName[name] ?? abbreviationsByName[withoutStandard(name)] ?? groupAbbreviation ?? intl;
}

const withoutStandard = (name: string) => name.replace(' Standard ', ' ');

function intlName(ianaName: string, milliseconds: number, timeZoneName: Intl.DateTimeFormatOptions['timeZoneName']) {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: ianaName, timeZoneName }).formatToParts(milliseconds);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ianaName;
}
