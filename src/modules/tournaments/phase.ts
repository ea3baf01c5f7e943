import { registerEnumType } from 'type-graphql';
import type { Tournament } from './tournament.js';

export const TournamentPhase = {
  CANCELLED: 'CANCELLED',
  ANNOUNCED: 'ANNOUNCED',
  REGISTERING: 'REGISTERING',
  CLOSED: 'CLOSED',
  PLAYING: 'PLAYING',
  OVER: 'OVER',
} as const;
export type TournamentPhase = keyof typeof TournamentPhase;
registerEnumType(TournamentPhase, {
  name: 'TournamentPhase',
  description: 'How far a tournament is.',
  valuesConfig: {
    CANCELLED: { description: 'It was called off.' },
    ANNOUNCED: { description: 'Registration has not opened, or nobody knows when it does.' },
    REGISTERING: { description: 'Registration is open.' },
    CLOSED: { description: 'Registration is closed, play has not begun.' },
    PLAYING: { description: 'It is being played.' },
    OVER: { description: 'It has been played.' },
  },
});

type Dates = Pick<
  Tournament,
  'startsAt' | 'endsAt' | 'registrationOpensAt' | 'registrationClosesAt' | 'isRegistrationClosed' | 'isCancelled'
>;

const isBy = (at: string | null, now: number): boolean => at !== null && Date.parse(at) <= now;

/** The phase at a moment; play outranks registration where both go on. */
export function phaseOf(dates: Dates, now: number): TournamentPhase {
  if (dates.isCancelled) return 'CANCELLED';
  if (isBy(dates.endsAt, now)) return 'OVER';
  if (isBy(dates.startsAt, now)) return 'PLAYING';
  if (dates.isRegistrationClosed || isBy(dates.registrationClosesAt, now)) return 'CLOSED';
  return isBy(dates.registrationOpensAt, now) && dates.registrationClosesAt ? 'REGISTERING' : 'ANNOUNCED';
}
