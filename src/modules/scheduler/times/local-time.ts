import { DateTime, IANAZone } from 'luxon';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { normalizeInstant } from '../../../kernel/declare/scalars/instant.js';
import { nonEmptyString } from '../../../kernel/write/input-values.js';

/** Returns the time zone with the given IANA name. Null if the name is unknown. */
const zoneOf = (name: string | null): IANAZone | null => (name && IANAZone.isValidZone(name) ? IANAZone.create(name) : null);

/** Whether a string is the IANA name of a time zone. Offsets such as +05:00 are not names. */
export const isTimeZoneName = (name: string): boolean => !/^[+-]/.test(name) && zoneOf(name) !== null;

/** Returns the local time of an instant in a time zone. Uses UTC if the zone is unknown. */
export const inTimeZone = (instant: string, timeZone: string | null): DateTime =>
  DateTime.fromISO(instant, { zone: zoneOf(timeZone) ?? 'utc' });

/** Returns the fraction of a second in an instant, with the decimal point. `DateTime` truncates it to milliseconds. */
export const secondFractionOf = (instant: string): string => instant.slice(19, -1);

/** Formats a local time as if it were an instant in UTC. Returns null for years before 1 and after 9999. */
export const formatLocalTime = (time: DateTime, fraction: string): string | null =>
  normalizeInstant(`${time.toFormat("yyyy-MM-dd'T'HH:mm:ss")}${fraction}Z`);

/**
 * Returns the local time of an instant, formatted as if it were an instant in UTC: 14:30Z becomes 09:30Z for Chicago in summer. Null if the
 * instant or the zone is unknown.
 */
export function localTimeOf(instant: string | null, timeZone: string | null): string | null {
  if (!instant || !zoneOf(timeZone)) return null;
  return formatLocalTime(inTimeZone(instant, timeZone), secondFractionOf(instant));
}

/** Whether an instant represents a date without a time: midnight in UTC. */
export const isDateWithoutTime = (instant: string): boolean => /T00:00:00Z$/.test(instant);

/** Returns the day of a game in local time. A date without a time is the same in all zones. */
export const localDayOf = (day: string | null, timeZone: string | null): string | null =>
  day !== null && isDateWithoutTime(day) ? day : localTimeOf(day, timeZone);

const timePairs = [
  ['day', 'localDayRaw', localDayOf],
  ['startsAt', 'localStartsAt', localTimeOf],
  ['endsAt', 'localEndsAt', localTimeOf],
] as const;

/** Times and local times of a game. */
export interface GameTimes {
  day: string | null;
  startsAt: string | null;
  endsAt: string | null;
  localDayRaw: string | null;
  localStartsAt: string | null;
  localEndsAt: string | null;
  timeZone: string | null;
}

export const emptyGameTimes: GameTimes = {
  day: null,
  startsAt: null,
  endsAt: null,
  localDayRaw: null,
  localStartsAt: null,
  localEndsAt: null,
  timeZone: null,
};

const valueAfter = (value: unknown, before: string | null): string | null =>
  value === undefined ? before : nonEmptyString(value);

/**
 * Returns the local times of a game after an update. Missing local times are derived from the time zone, unless the stored value was sent
 * explicitly.
 */
export function localTimes(input: Values, before: GameTimes = emptyGameTimes): Values {
  const timeZone = valueAfter(input.timeZone, before.timeZone);
  return Object.fromEntries(
    timePairs.map(([time, local, toLocal]) => {
      const isExplicit = before[local] !== null && before[local] !== toLocal(before[time], before.timeZone);
      const explicitValue = input[local] === undefined && isExplicit ? before[local] : null;
      return [local, valueAfter(input[local], null) ?? explicitValue ?? toLocal(valueAfter(input[time], before[time]), timeZone)];
    }),
  );
}

/** Returns the instant of a local time that is formatted as if it were an instant in UTC. Null if the zone is unknown. */
function instantOfLocal(local: string, timeZone: string | null): string | null {
  const zone = zoneOf(timeZone);
  const time = zone && DateTime.fromISO(local.slice(0, 19), { zone }).toUTC();
  return time?.isValid ? formatLocalTime(time, secondFractionOf(local)) : null;
}

/**
 * Returns the instants of a game after an update. A missing instant is derived from its local time and the time zone, if the input contains
 * either of them.
 */
export function instantsOf(input: Values, before: GameTimes = emptyGameTimes): Values {
  const timeZone = valueAfter(input.timeZone, before.timeZone);
  return Object.fromEntries(
    timePairs.map(([time, local]) => {
      const instant = valueAfter(input[time], before[time]);
      const localTime = valueAfter(input[local], before[local]);
      const isNew = valueAfter(input[local], null) !== null || valueAfter(input.timeZone, null) !== null;
      return [time, instant === null && localTime !== null && isNew ? instantOfLocal(localTime, timeZone) : instant];
    }),
  );
}
