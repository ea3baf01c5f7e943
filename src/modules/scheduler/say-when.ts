import { isBareDate, onClocks } from './local-time.js';

interface When {
  startsAt: string | null;
  day: string | null;
  timeZone: string | null;
}

/** When a game takes place, as a reader at its place says it: with the time of its start where that is known. */
export function sayWhen({ startsAt, day, timeZone }: When): string | undefined {
  if (startsAt) return onClocks(startsAt, timeZone).setLocale('en').toFormat("cccc, d LLLL yyyy 'at' h:mm a ZZZZ");
  if (!day) return undefined;
  return onClocks(day, isBareDate(day) ? null : timeZone)
    .setLocale('en')
    .toFormat('cccc, d LLLL yyyy');
}
