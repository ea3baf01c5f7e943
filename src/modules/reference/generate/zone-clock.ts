import { IANAZone } from 'luxon';

/** No zone ever changed its clocks twice within a week. */
const week = 7 * 24 * 60 * 60 * 1000;

/** How a zone's clocks run in a year: offsets in seconds, moments in milliseconds since 1970. */
export interface ZoneClock {
  standard: number;
  /** Null where the clocks are not changed twice a year, or were this year for the last time. */
  daylight: { offset: number; begins: number; ends: number } | null;
}

/** Reads a zone's year from the time zone database of Node itself, which is also what the service computes with. */
export function zoneClock(ianaName: string, year: number): ZoneClock {
  const zone = IANAZone.create(ianaName);
  const thisYear = offsets(zone, year);
  const [standard, daylight] = [Math.min(...thisYear.values()), Math.max(...thisYear.values())];
  const begins = firstChangeTo(daylight, thisYear);
  const ends = firstChangeTo(standard, thisYear);
  // A country that gave the changes up this year has one offset from then on: its zone is told as it is at the year's end.
  if (begins === undefined || ends === undefined || new Set(offsets(zone, year + 1).values()).size === 1)
    return { standard: zone.offset(Date.UTC(year + 1)) * 60, daylight: null };
  return { standard: standard * 60, daylight: { offset: daylight * 60, begins, ends } };
}

/** The offsets of a year in minutes, by the moment from which each is in force; the first one from New Year on. */
function offsets(zone: IANAZone, year: number) {
  const [start, end] = [Date.UTC(year), Date.UTC(year + 1)];
  const found = new Map([[start, zone.offset(start)]]);
  for (let at = start; at < end; at += week) {
    const next = Math.min(at + week, end);
    if (zone.offset(at) !== zone.offset(next)) found.set(changeWithin(zone, at, next), zone.offset(next));
  }
  return found;
}

const firstChangeTo = (offset: number, year: Map<number, number>) =>
  [...year].slice(1).find(([, other]) => other === offset)?.[0];

function changeWithin(zone: IANAZone, before: number, after: number): number {
  if (after - before <= 1) return after;
  const middle = Math.floor((before + after) / 2);
  return zone.offset(middle) === zone.offset(before) ? changeWithin(zone, middle, after) : changeWithin(zone, before, middle);
}
