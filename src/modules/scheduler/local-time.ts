import { DateTime, IANAZone } from 'luxon';
import { normalizeInstant } from '../../kernel/declare/instant.js';
import type { Values } from '../../kernel/declare/options.js';

/** The zone of that IANA name; null for a name that is none. */
const zoneOf = (name: string | null): IANAZone | null => (name && IANAZone.isValidZone(name) ? IANAZone.create(name) : null);

/** Whether a text is the name of a time zone; offsets such as +05:00 are none. */
export const isZone = (name: string): boolean => !/^[+-]/.test(name) && zoneOf(name) !== null;

/** A moment on the clocks of a time zone, those of UTC where there is no such zone. */
export const onClocks = (instant: string, timeZone: string | null): DateTime =>
  DateTime.fromISO(instant, { zone: zoneOf(timeZone) ?? 'utc' });

/** The digits that an instant has behind its seconds, point included: DateTime would lose those behind the third. */
export const fractionOf = (instant: string): string => instant.slice(19, -1);

/** What clocks show, as an instant of its own; null outside the years 1 to 9999. */
export const clockText = (at: DateTime, fraction: string): string | null =>
  normalizeInstant(`${at.toFormat("yyyy-MM-dd'T'HH:mm:ss")}${fraction}Z`);

/**
 * What the clocks of a time zone show at an instant, written as an instant: 14:30Z is 09:30Z for Chicago in summer. Null where the instant or
 * the zone is unknown.
 */
export function localOf(instant: string | null, timeZone: string | null): string | null {
  if (!instant || !zoneOf(timeZone)) return null;
  return clockText(onClocks(instant, timeZone), fractionOf(instant));
}

/** Whether an instant stands for a calendar day and not for a moment of it: midnight in UTC. */
export const isBareDate = (instant: string): boolean => /T00:00:00Z$/.test(instant);

/** The day of a game on the clocks of its time zone. A calendar day is the same day in all zones. */
export const localDayOf = (day: string | null, timeZone: string | null): string | null =>
  day !== null && isBareDate(day) ? day : localOf(day, timeZone);

const pairs = [
  ['day', 'localDayRaw', localDayOf],
  ['startsAt', 'localStartsAt', localOf],
  ['endsAt', 'localEndsAt', localOf],
] as const;

/** The times of a game that its local times follow, and these. */
export interface GameTimes {
  day: string | null;
  startsAt: string | null;
  endsAt: string | null;
  localDayRaw: string | null;
  localStartsAt: string | null;
  localEndsAt: string | null;
  timeZone: string | null;
}

export const noTimes: GameTimes = {
  day: null,
  startsAt: null,
  endsAt: null,
  localDayRaw: null,
  localStartsAt: null,
  localEndsAt: null,
  timeZone: null,
};

const given = (value: unknown, before: string | null): string | null =>
  value === undefined ? before : typeof value === 'string' && value !== '' ? value : null;

/**
 * The local times of a game that is written with these values: those that are sent, else what the clocks of its time zone show. One that was
 * sent before stays as it is.
 */
export function localTimes(input: Values, before: GameTimes = noTimes): Values {
  const timeZone = given(input.timeZone, before.timeZone);
  return Object.fromEntries(
    pairs.map(([time, local, localOn]) => {
      const wasSent = before[local] !== null && before[local] !== localOn(before[time], before.timeZone);
      const kept = input[local] === undefined && wasSent ? before[local] : null;
      return [local, given(input[local], null) ?? kept ?? localOn(given(input[time], before[time]), timeZone)];
    }),
  );
}

/** The moment at which the clocks of a time zone show a local time, which is written as an instant; null where the zone is unknown. */
function momentOf(local: string, timeZone: string | null): string | null {
  const zone = zoneOf(timeZone);
  const at = zone && DateTime.fromISO(local.slice(0, 19), { zone }).toUTC();
  return at?.isValid ? clockText(at, fractionOf(local)) : null;
}

/**
 * The moments of a game that is written with these values: one that neither they nor the game have follows from its local time and time zone,
 * where either of these is given.
 */
export function momentsOf(input: Values, before: GameTimes = noTimes): Values {
  const timeZone = given(input.timeZone, before.timeZone);
  return Object.fromEntries(
    pairs.map(([time, local]) => {
      const moment = given(input[time], before[time]);
      const clock = given(input[local], before[local]);
      const isNew = given(input[local], null) !== null || given(input.timeZone, null) !== null;
      return [time, moment === null && clock !== null && isNew ? momentOf(clock, timeZone) : moment];
    }),
  );
}
