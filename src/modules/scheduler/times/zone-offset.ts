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

const stringOr = (value: unknown, before: string | null): string | null =>
  value === undefined ? before : typeof value === 'string' ? value : null;

/**
 * UTC offset of a game after an update with the input. Without an offset in the input, it is derived from the time zone at the start, unless the stored
 * offset was sent explicitly.
 */
export function zoneOffset(input: Values, before: ZoneTimes = noTimes): Values {
  const { utcOffset: sentOffset } = input;
  const isExplicit = before.utcOffset !== null && before.utcOffset !== offsetAtStart(before);
  if (typeof sentOffset === 'number' || (sentOffset === undefined && isExplicit)) return {};
  const [timeZone, startsAt, day] = (['timeZone', 'startsAt', 'day'] as const).map((key) => stringOr(input[key], before[key]));
  return { utcOffset: offsetAtStart({ timeZone: timeZone ?? null, startsAt: startsAt ?? null, day: day ?? null }) };
}
