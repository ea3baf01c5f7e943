import { rawTimeZones, abbreviations as shortened, timeZonesNames } from '@vvo/tzdb';
import cldr from 'cldr-bcp47/bcp47/timezone.json' with { type: 'json' };

/** In CLDR's list, but no zones, or names that IANA took back. */
const noZones = new Set(['Etc/Unknown', 'Factory', 'Canada/East-Saskatchewan', 'US/Pacific-New']);

/** Every name of the IANA database, links included, that a client may send, in alphabetical order. */
export function zoneNames() {
  const aliases = Object.values(cldr.keyword.u.tz).flatMap((zone) =>
    typeof zone === 'object' && '_alias' in zone ? zone._alias.split(' ') : [],
  );
  const names = new Set([...aliases, ...timeZonesNames, ...Intl.supportedValuesOf('timeZone')]);
  return [...names].filter((name) => !noZones.has(name)).sort();
}

const groups = new Map(rawTimeZones.flatMap((zone) => [zone.name, ...zone.group].map((name) => [name, zone] as const)));

/** The zone's name in any season: "Eastern Time". */
export function genericName(ianaName: string, at: number) {
  const name = intlName(ianaName, at, 'longGeneric');
  return name.startsWith('GMT') ? seasonalName(ianaName, at) : withoutStandard(name);
}

/** The zone's name in the season of that moment: "Eastern Standard Time". */
export const seasonalName = (ianaName: string, at: number) => intlName(ianaName, at, 'long');

/** The zone's letters in the season of that moment: "EST"; "GMT+3" where no letters are in use. */
export function abbreviation(ianaName: string, at: number, season: 'abbreviation' | 'dstAbbreviation') {
  // Intl has letters for the United States and few others, and GMT+1 elsewhere.
  const intl = intlName(ianaName, at, 'short');
  if (/^[A-Z]+$/.test(intl)) return intl;
  const name = seasonalName(ianaName, at);
  // A group of tzdb holds all zones with the same clocks, some of which have a name and letters of their own.
  const group = groups.get(ianaName);
  const letters = group?.alternativeName === genericName(ianaName, at) ? group[season] : undefined;
  return shortened[name] ?? shortened[withoutStandard(name)] ?? letters ?? intl;
}

const withoutStandard = (name: string) => name.replace(' Standard ', ' ');

function intlName(ianaName: string, at: number, timeZoneName: Intl.DateTimeFormatOptions['timeZoneName']) {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: ianaName, timeZoneName }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ianaName;
}
