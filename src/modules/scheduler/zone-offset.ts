import type { Values } from '../../kernel/declare/options.js';
import { isZone, onClocks } from './local-time.js';

/** What the time zone offset of a game is derived from. */
interface ZoneTimes {
  timeZone: string | null;
  utcOffset: number | null;
  startsAt: string | null;
  day: string | null;
}

const none: ZoneTimes = { timeZone: null, utcOffset: null, startsAt: null, day: null };

/** Seconds that the time zone of a game is ahead of UTC when the game starts; null without a known zone or a start. */
function offsetAtStart({ timeZone, startsAt, day }: Omit<ZoneTimes, 'utcOffset'>): number | null {
  const start = startsAt ?? day;
  return start && timeZone && isZone(timeZone) ? Math.round(onClocks(start, timeZone).offset * 60) : null;
}

const textOr = (value: unknown, before: string | null): string | null =>
  value === undefined ? before : typeof value === 'string' ? value : null;

/**
 * The time zone offset of a game that is written with these values: the one sent, else that of its time zone at the start. One that was sent
 * before stays.
 */
export function zoneOffset(input: Values, before: ZoneTimes = none): Values {
  const { utcOffset: sent } = input;
  const wasSent = before.utcOffset !== null && before.utcOffset !== offsetAtStart(before);
  if (typeof sent === 'number' || (sent === undefined && wasSent)) return {};
  const [timeZone, startsAt, day] = (['timeZone', 'startsAt', 'day'] as const).map((key) => textOr(input[key], before[key]));
  return { utcOffset: offsetAtStart({ timeZone: timeZone ?? null, startsAt: startsAt ?? null, day: day ?? null }) };
}
