import { IANAZone } from 'luxon';

const zones = new Map<string, IANAZone | null>();

function zoneOf(name: string): IANAZone | null {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const zone = IANAZone.isValidZone(name) ? IANAZone.create(name) : null;
  if (zones.size < 1000) zones.set(name, zone);
  return zone;
}

/** How many seconds a time zone is ahead of UTC at an instant; null where the zone or the instant is unknown. */
export function timeZoneOffset(timeZone: string | null, at: string | null): number | null {
  if (!timeZone || !at) return null;
  const minutes = zoneOf(timeZone)?.offset(Date.parse(at));
  return minutes === undefined ? null : Math.round(minutes * 60);
}
