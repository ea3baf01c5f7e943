import type { Values } from '../../../kernel/declare/fields/options.js';
import { inTimeZone, isTimeZoneName } from './local-time.js';

/** Values that determine the UTC offset of a game. */
interface ZoneTimes {
  timeZone: string | null;
  utcOffset: number | null;
  startsAt: string | null;
  day: string | null;
}

const noTimes: ZoneTimes = { timeZone: null, utcOffset: null, startsAt: null, day: null };

/** Returns the UTC offset of the time zone at the start of a game, in seconds. Null if the zone or the start is unknown. */
function offsetAtStart({ timeZone, startsAt, day }: Omit<ZoneTimes, 'utcOffset'>): number | null {
  const start = startsAt ?? day;
  return start && timeZone && isTimeZoneName(timeZone) ? Math.round(inTimeZone(start, timeZone).offset * 60) : null;
}

const stringOr = (value: unknown, before: string | null): string | null =>
  value === undefined ? before : typeof value === 'string' ? value : null;

/**
 * Returns the UTC offset of a game after an update. A missing offset is derived from the time zone at the start, unless the stored offset
 * was sent explicitly.
 */
export function zoneOffset(input: Values, before: ZoneTimes = noTimes): Values {
  const { utcOffset: sentOffset } = input;
  const isExplicit = before.utcOffset !== null && before.utcOffset !== offsetAtStart(before);
  if (typeof sentOffset === 'number' || (sentOffset === undefined && isExplicit)) return {};
  const [timeZone, startsAt, day] = (['timeZone', 'startsAt', 'day'] as const).map((key) => stringOr(input[key], before[key]));
  return { utcOffset: offsetAtStart({ timeZone: timeZone ?? null, startsAt: startsAt ?? null, day: day ?? null }) };
}

interface ZoneTexts {
  day: string | null;
  startsAt: string | null;
  timeZone: string | null;
  timeZoneAbbreviation: string | null;
  utcOffset: number | null;
}

/** Units in which platforms may send offsets (second, minute, hour), each expressed in minutes. */
const offsetUnits = [1 / 60, 1, 60];

/**
 * Adjusts the abbreviation and the offset of a game, as sent by a platform, to another instant. CDT and -18000 become CST and -21600 in
 * winter. Values that do not match the time zone stay unchanged.
 */
export function adjustZoneTexts(game: ZoneTexts, instant: string | null): { abbreviation: string | null; offset: number | null } {
  const { timeZone, timeZoneAbbreviation: abbreviation, utcOffset: offset } = game;
  const firstInstant = game.startsAt ?? game.day;
  if (!firstInstant || !instant || !timeZone) return { abbreviation, offset };
  const [firstTime, newTime] = [inTimeZone(firstInstant, timeZone), inTimeZone(instant, timeZone)];
  const abbreviationOf = (time: typeof firstTime) => time.setLocale('en').toFormat('ZZZZ');
  const unit =
    firstTime.offset === newTime.offset ? undefined : offsetUnits.find((minutes) => offset === firstTime.offset / minutes);
  return {
    abbreviation: abbreviation === abbreviationOf(firstTime) ? abbreviationOf(newTime) : abbreviation,
    offset: unit ? newTime.offset / unit : offset,
  };
}
