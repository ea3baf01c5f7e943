import { IANAZone } from 'luxon';
import { createCache, validForever } from '../../../kernel/caches.js';

const zones = new Map<string, IANAZone | null>();

function zoneOf(name: string): IANAZone | null {
  const cachedZone = zones.get(name);
  if (cachedZone !== undefined) return cachedZone;
  const zone = IANAZone.isValidZone(name) ? IANAZone.create(name) : null;
  if (zones.size < 1000) zones.set(name, zone);
  return zone;
}

/** Cache of offsets. Computing an offset takes longer than reading a tournament. */
const offsets = createCache<string, number>(
  { name: 'offsets of time zones at instants', limit: '10,000, and 1,000 zones', validity: validForever },
  { max: 10_000 },
);

/** Returns the UTC offset of a time zone at an instant, in seconds. Null if the zone or the instant is unknown. */
export function timeZoneOffset(timeZone: string | null, instant: string | null): number | null {
  if (!timeZone || !instant) return null;
  const zone = zoneOf(timeZone);
  if (!zone) return null;
  const key = `${timeZone} ${instant}`;
  const seconds = offsets.get(key) ?? Math.round(zone.offset(Date.parse(instant)) * 60);
  offsets.set(key, seconds);
  return seconds;
}
