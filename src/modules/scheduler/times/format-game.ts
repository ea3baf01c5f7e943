import type { Place } from '../../reference/records/locations.js';
import { inTimeZone, isDateWithoutTime } from './local-time.js';

/** Returns the venue and address of a game on one line. Undefined if the game has neither. */
export function formatAddress({ venue, streetAddress, city, state }: Pick<Place, 'venue' | 'streetAddress' | 'city' | 'state'>) {
  return [venue, streetAddress, city, state].filter(Boolean).join(', ') || undefined;
}

interface GameStart {
  startsAt: string | null;
  day: string | null;
  timeZone: string | null;
}

/** Returns the date of a game as English text in local time, with the start time if it is known. */
export function formatStart({ startsAt, day, timeZone }: GameStart): string | undefined {
  if (startsAt) return inTimeZone(startsAt, timeZone).setLocale('en').toFormat("cccc, d LLLL yyyy 'at' h:mm a ZZZZ");
  if (!day) return undefined;
  return inTimeZone(day, isDateWithoutTime(day) ? null : timeZone)
    .setLocale('en')
    .toFormat('cccc, d LLLL yyyy');
}
