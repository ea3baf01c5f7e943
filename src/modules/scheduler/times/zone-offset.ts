import type { Values } from '../../../kernel/declare/fields/options.js';
import { inTimeZone, isZone } from './local-time.js';

/** Values that determine the UTC offset of a game. */
interface ZoneTimes {
  timeZone: string | null;
  utcOffset: number | null;
  startsAt: string | null;
  day: string | null;
}

const noTimes: ZoneTimes = { timeZone: null, utcOffset: null, startsAt: null, day: null };

/** UTC offset of the time zone at the start of a game, in seconds. Null without a known zone or a start. */
function offsetAtStart({ timeZone, startsAt, day }: Omit<ZoneTimes, 'utcOffset'>): number | null {
  const start = startsAt ?? day;
  return start && timeZone && isZone(timeZone) ? Math.round(inTimeZone(start, timeZone).offset * 60) : null;
}

const textOr = (value: unknown, before: string | null): string | null =>
  value === undefined ? before : typeof value === 'string' ? value : null;

/**
 * UTC offset of a game after a write of these values: the offset sent, or else the offset of its time zone at the start. An offset that was sent
 * before does not change.
 */
export function zoneOffset(input: Values, before: ZoneTimes = noTimes): Values {
  const { utcOffset: sentOffset } = input;
  const wasSent = before.utcOffset !== null && before.utcOffset !== offsetAtStart(before);
  if (typeof sentOffset === 'number' || (sentOffset === undefined && wasSent)) return {};
  const [timeZone, startsAt, day] = (['timeZone', 'startsAt', 'day'] as const).map((key) => textOr(input[key], before[key]));
  return { utcOffset: offsetAtStart({ timeZone: timeZone ?? null, startsAt: startsAt ?? null, day: day ?? null }) };
}
