import { inTimeZone } from './local-time.js';

interface ZoneTexts {
  day: string | null;
  startsAt: string | null;
  timeZone: string | null;
  timeZoneAbbreviation: string | null;
  utcOffset: number | null;
}

/** Units of the offsets that platforms send, in minutes: second, minute, hour. */
const offsetUnits = [1 / 60, 1, 60];

/**
 * Adjusts the abbreviation and the offset of a game, as sent by a platform, to another instant. CDT and -18000 become CST and -21600 in winter.
 * Values that do not match the time zone stay unchanged.
 */
export function zoneTexts(game: ZoneTexts, instant: string | null): { abbreviation: string | null; offset: number | null } {
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
