import { IANAZone } from 'luxon';

/** Search interval: one week, in milliseconds. No time zone has ever changed its clocks twice within a week. */
const week = 7 * 24 * 60 * 60 * 1000;

/** Offsets of a time zone in a year. Offsets are in seconds, and instants in milliseconds since the Unix epoch. */
interface ZoneClock {
  standard: number;
  /** Daylight saving time. Null if the zone has no daylight saving time, or abolishes it this year. */
  daylight: { offset: number; startsAt: number; endsAt: number } | null;
}

/** Reads the offsets of a time zone from the time zone database of Node.js, which the service also uses. */
export function zoneClock(ianaName: string, year: number): ZoneClock {
  const zone = IANAZone.create(ianaName);
  const yearOffsets = offsets(zone, year);
  const [standard, daylight] = [Math.min(...yearOffsets.values()), Math.max(...yearOffsets.values())];
  const startsAt = firstChangeTo(daylight, yearOffsets);
  const endsAt = firstChangeTo(standard, yearOffsets);
  // If daylight saving time is abolished this year, the offset at the end of the year is used.
  if (startsAt === undefined || endsAt === undefined || new Set(offsets(zone, year + 1).values()).size === 1)
    return { standard: zone.offset(Date.UTC(year + 1)) * 60, daylight: null };
  return { standard: standard * 60, daylight: { offset: daylight * 60, startsAt, endsAt } };
}

/**
 * Returns the offsets that apply in a year, in minutes, keyed by the instant at which each takes effect. The first offset takes effect at
 * the start of the year.
 */
function offsets(zone: IANAZone, year: number) {
  const [start, end] = [Date.UTC(year), Date.UTC(year + 1)];
  let offset = zone.offset(start);
  const byInstant = new Map([[start, offset]]);
  for (let weekStart = start; weekStart < end; weekStart += week) {
    const next = Math.min(weekStart + week, end);
    const nextOffset = zone.offset(next);
    if (nextOffset !== offset) byInstant.set(findChange(zone, offset, weekStart, next), nextOffset);
    offset = nextOffset;
  }
  return byInstant;
}

const firstChangeTo = (offset: number, offsetsByInstant: Map<number, number>) =>
  [...offsetsByInstant].slice(1).find(([, nextOffset]) => nextOffset === offset)?.[0];

/** Finds the instant at which a zone stops using an offset, by bisection. The offset changes exactly once between `before` and `after`. */
function findChange(zone: IANAZone, offset: number, before: number, after: number): number {
  if (after - before <= 1) return after;
  const middle = Math.floor((before + after) / 2);
  return zone.offset(middle) === offset ? findChange(zone, offset, middle, after) : findChange(zone, offset, before, middle);
}
