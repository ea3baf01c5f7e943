import { onClocks } from './local-time.js';

interface ZoneTexts {
  day: string | null;
  startsAt: string | null;
  timeZone: string | null;
  timeZoneAbbreviation: string | null;
  utcOffset: number | null;
}

/** Units in which platforms send offsets, in minutes. */
const offsetUnits = [1 / 60, 1, 60];

/**
 * Converts the abbreviation and the offset of a game, as sent by a platform, to another instant: CDT and -18000 become CST and -21600 in winter.
 * Values that do not match the time zone do not change.
 */
export function zoneTexts(game: ZoneTexts, at: string | null): { abbreviation: string | null; offset: number | null } {
  const { timeZone, timeZoneAbbreviation: abbreviation, utcOffset: offset } = game;
  const first = game.startsAt ?? game.day;
  if (!first || !at || !timeZone) return { abbreviation, offset };
  const [then, there] = [onClocks(first, timeZone), onClocks(at, timeZone)];
  const short = (moment: typeof then) => moment.setLocale('en').toFormat('ZZZZ');
  const unit = then.offset === there.offset ? undefined : offsetUnits.find((minutes) => offset === then.offset / minutes);
  return {
    abbreviation: abbreviation === short(then) ? short(there) : abbreviation,
    offset: unit ? there.offset / unit : offset,
  };
}
